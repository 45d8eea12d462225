-- columns: d.src(id,v,m)
-- columns: d.tmp(id,v,m)
-- columns: d.fin(id,v,m)
-- edge: d.src#id -> d.tmp#id IDENTITY
-- edge: d.src#v -> d.tmp#v IDENTITY
-- edge: d.src#m -> d.tmp#m IDENTITY
-- edge: d.src#m -> d.tmp FILTER
-- edge: d.tmp#id -> d.fin#id IDENTITY
-- edge: d.tmp#v -> d.fin#v IDENTITY
-- edge: d.tmp#m -> d.fin#m IDENTITY
-- completeness: complete

TRUNCATE TABLE IF EXISTS d.tmp ON CLUSTER c;
INSERT INTO d.tmp SELECT id, v, m FROM d.src WHERE m = 202401;
ALTER TABLE d.fin ON CLUSTER c REPLACE PARTITION 202401 FROM d.tmp;
