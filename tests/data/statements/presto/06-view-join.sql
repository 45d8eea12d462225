-- columns: hive.dw.a(id, x)
-- columns: hive.dw.b(id, y)
-- edge: hive.dw.a#id -> hive.rpt.ab#id IDENTITY
-- edge: hive.dw.a#x -> hive.rpt.ab#s TRANSFORMATION
-- edge: hive.dw.b#y -> hive.rpt.ab#s TRANSFORMATION
-- edge: hive.dw.a#id -> hive.rpt.ab JOIN
-- edge: hive.dw.b#id -> hive.rpt.ab JOIN
-- completeness: complete

CREATE OR REPLACE VIEW hive.rpt.ab AS
SELECT a.id, a.x + coalesce(b.y, 0) AS s FROM hive.dw.a a LEFT JOIN hive.dw.b b ON a.id = b.id;
