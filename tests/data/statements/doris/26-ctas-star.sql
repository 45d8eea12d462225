-- columns: s.c(id,v)
-- edge: s.c#id -> d.c#id IDENTITY
-- edge: s.c#v -> d.c#v IDENTITY
-- completeness: complete

CREATE TABLE d.c PROPERTIES ("replication_num" = "1") AS SELECT * FROM s.c
