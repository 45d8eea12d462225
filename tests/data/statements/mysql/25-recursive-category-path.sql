-- columns: rpt.cat(id, path)
-- edge: shop.cat#id -> rpt.cat#id IDENTITY
-- edge: shop.cat#nm -> rpt.cat#path TRANSFORMATION
-- edge: shop.cat#parent_id -> rpt.cat FILTER
-- edge: shop.cat#parent_id -> rpt.cat JOIN
-- edge: shop.cat#id -> rpt.cat JOIN
-- completeness: any

INSERT INTO rpt.cat (id, path)
WITH RECURSIVE p (id, path) AS (
  SELECT id, CAST(nm AS CHAR(500)) FROM shop.cat WHERE parent_id IS NULL
  UNION ALL
  SELECT c.id, CONCAT(p.path, '/', c.nm) FROM shop.cat c JOIN p ON p.id = c.parent_id
)
SELECT id, path FROM p;
