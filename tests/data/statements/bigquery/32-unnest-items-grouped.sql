-- columns: p.s.e(id,items ARRAY<STRUCT<sku STRING, q INT64>>)
-- edge: p.s.e#id -> p.d.i#id IDENTITY
-- edge: p.s.e#items.sku -> p.d.i#sku IDENTITY
-- edge: p.s.e#items.q -> p.d.i#q AGGREGATION
-- edge: p.s.e#id -> p.d.i GROUP_BY
-- edge: p.s.e#items.sku -> p.d.i GROUP_BY
-- completeness: any

CREATE OR REPLACE TABLE `p.d.i` AS SELECT e.id, it.sku, SUM(it.q) AS q FROM `p.s.e` e, UNNEST(e.items) it GROUP BY 1, 2
