-- edge: s3://lake:orders/*.json#id -> raw.orders#id IDENTITY
-- edge: s3://lake:orders/*.json#lines -> raw.orders#lines IDENTITY
-- edge: s3://lake:orders/*.json#at -> raw.orders#at TRANSFORMATION
-- edge: raw.orders#lines -> mart.sku#sku TRANSFORMATION
-- edge: raw.orders#lines -> mart.sku#n AGGREGATION
-- edge: raw.orders#at -> mart.sku FILTER
-- edge: raw.orders#lines -> mart.sku GROUP_BY
-- completeness: any

CREATE OR REPLACE TABLE raw.orders AS
SELECT id, lines, strptime(at, '%Y-%m-%d') AS at FROM read_json('s3://lake/orders/*.json');

CREATE OR REPLACE TABLE mart.sku AS
WITH l AS (SELECT unnest(lines) AS sku, at FROM raw.orders)
SELECT sku, count(sku) AS n FROM l WHERE at > DATE '2024-01-01' GROUP BY sku;
