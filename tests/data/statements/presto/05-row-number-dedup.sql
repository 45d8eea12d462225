-- columns: hive.raw.c(id, v, ts)
-- edge: hive.raw.c#id -> hive.dw.c#id IDENTITY
-- edge: hive.raw.c#v -> hive.dw.c#v IDENTITY
-- edge: hive.raw.c#id -> hive.dw.c FILTER
-- edge: hive.raw.c#ts -> hive.dw.c FILTER
-- completeness: complete

CREATE TABLE hive.dw.c AS
SELECT id, v FROM (SELECT id, v, row_number() OVER (PARTITION BY id ORDER BY ts DESC) rn FROM hive.raw.c) WHERE rn = 1;
