-- columns: raw.sale(sku, qty, price, d)
-- columns: mart.sale(sku, rev)
-- edge: raw.sale#sku -> mart.sale#sku IDENTITY
-- edge: raw.sale#qty -> mart.sale#rev AGGREGATION
-- edge: raw.sale#price -> mart.sale#rev AGGREGATION
-- edge: raw.sale#d -> mart.sale FILTER
-- edge: raw.sale#sku -> mart.sale GROUP_BY
-- completeness: complete

INSERT INTO mart.sale
WITH recent AS (
    SELECT sku, qty * price AS r FROM raw.sale WHERE d >= '2024-01-01'
)
SELECT sku, sum(r) FROM recent GROUP BY sku;
