-- columns: d.a(id)
-- columns: d.b(id)
-- columns: d.c(id)
-- edge: d.a#id -> d.b#id IDENTITY
-- edge: d.c#id -> d.a#id IDENTITY
-- completeness: complete

ALTER TABLE d.a DROP PARTITION 1, MOVE PARTITION 2 TO TABLE d.b, REPLACE PARTITION 3 FROM d.c
