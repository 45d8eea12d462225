-- columns: d.a(id)
-- columns: d.b(id)
-- edge: d.a#id -> d.b#id IDENTITY
-- completeness: complete

ALTER TABLE d.a ON CLUSTER c MOVE PARTITION 202401 TO TABLE d.b;
