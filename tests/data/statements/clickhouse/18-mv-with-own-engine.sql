-- columns: raw.r(shop, amt)
-- edge: raw.r#shop -> agg.r_mv#shop IDENTITY
-- edge: raw.r#amt -> agg.r_mv#amt AGGREGATION
-- edge: raw.r#shop -> agg.r_mv GROUP_BY
-- completeness: complete

CREATE MATERIALIZED VIEW agg.r_mv
ENGINE = SummingMergeTree
ORDER BY shop
POPULATE
AS SELECT shop, sum(amt) AS amt FROM raw.r GROUP BY shop;
