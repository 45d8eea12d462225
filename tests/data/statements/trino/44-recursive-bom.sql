-- columns: hive.mes.bom(parent, child, qty)
-- columns: hive.mes.part(part_no, unit_cost)
-- edge: hive.mes.bom#parent -> hive.mart.bom_cost#root IDENTITY
-- edge: hive.mes.bom#qty -> hive.mart.bom_cost#cost AGGREGATION
-- edge: hive.mes.part#unit_cost -> hive.mart.bom_cost#cost AGGREGATION
-- edge: hive.mes.bom#parent -> hive.mart.bom_cost JOIN
-- edge: hive.mes.bom#child -> hive.mart.bom_cost JOIN
-- edge: hive.mes.part#part_no -> hive.mart.bom_cost JOIN
-- edge: hive.mes.bom#parent -> hive.mart.bom_cost FILTER
-- edge: hive.mes.bom#child -> hive.mart.bom_cost FILTER
-- edge: hive.mes.bom#parent -> hive.mart.bom_cost GROUP_BY
-- completeness: complete

CREATE TABLE hive.mart.bom_cost AS
WITH RECURSIVE x (root, part, qty) AS (
  SELECT parent, child, qty
  FROM hive.mes.bom
  WHERE parent NOT IN (SELECT child FROM hive.mes.bom)
  UNION ALL
  SELECT x.root, b.child, x.qty * b.qty
  FROM x
  JOIN hive.mes.bom b ON b.parent = x.part
)
SELECT x.root, sum(x.qty * p.unit_cost) AS cost
FROM x
JOIN hive.mes.part p ON p.part_no = x.part
GROUP BY x.root;
