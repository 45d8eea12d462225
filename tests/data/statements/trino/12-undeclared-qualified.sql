-- edge: hive.raw.a#x -> hive.dw.ab#x IDENTITY
-- edge: hive.raw.b#y -> hive.dw.ab#y TRANSFORMATION
-- edge: hive.raw.a#k -> hive.dw.ab JOIN
-- edge: hive.raw.b#k -> hive.dw.ab JOIN
-- edge: hive.raw.b#z -> hive.dw.ab FILTER
-- completeness: any

CREATE TABLE hive.dw.ab AS
SELECT a.x, b.y + 1 AS y
FROM hive.raw.a a
JOIN hive.raw.b b ON a.k = b.k
WHERE b.z > 0;
