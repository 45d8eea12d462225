-- columns: raw.e(id, sku, qty, ts)
-- columns: dim.p(sku, cat)
-- columns: agg.cat(day, cat, qty)
-- edge: raw.e#ts -> agg.cat#day TRANSFORMATION
-- edge: dim.p#cat -> agg.cat#cat IDENTITY
-- edge: raw.e#qty -> agg.cat#qty AGGREGATION
-- edge: raw.e#sku -> agg.cat JOIN
-- edge: dim.p#sku -> agg.cat JOIN
-- edge: raw.e#ts -> agg.cat GROUP_BY
-- edge: dim.p#cat -> agg.cat GROUP_BY
-- completeness: complete

CREATE MATERIALIZED VIEW IF NOT EXISTS agg.cat_mv TO agg.cat
AS SELECT toDate(e.ts) AS day, p.cat AS cat, sum(e.qty) AS qty
FROM raw.e AS e
INNER JOIN dim.p AS p ON p.sku = e.sku
GROUP BY day, cat;
