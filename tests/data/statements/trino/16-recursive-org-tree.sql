-- edge: hive.dw.emp#id -> hive.mart.tree#id IDENTITY
-- edge: hive.dw.emp#name -> hive.mart.tree#name IDENTITY
-- edge: hive.dw.emp#name -> hive.mart.tree#path TRANSFORMATION
-- edge: hive.dw.emp#boss -> hive.mart.tree FILTER
-- edge: hive.dw.emp#boss -> hive.mart.tree JOIN
-- edge: hive.dw.emp#id -> hive.mart.tree JOIN
-- completeness: any

CREATE TABLE hive.mart.tree AS
WITH RECURSIVE t (id, name, path) AS (
  SELECT id, name, CAST(name AS varchar) FROM hive.dw.emp WHERE boss IS NULL
  UNION ALL
  SELECT e.id, e.name, t.path || '/' || e.name
  FROM hive.dw.emp e JOIN t ON e.boss = t.id
)
SELECT id, name, path FROM t;
