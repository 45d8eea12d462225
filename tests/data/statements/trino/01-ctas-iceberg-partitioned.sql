-- columns: hive.raw.orders(orderkey, custkey, price, odate)
-- edge: hive.raw.orders#odate -> iceberg.mart.daily#day TRANSFORMATION
-- edge: hive.raw.orders#custkey -> iceberg.mart.daily#custkey IDENTITY
-- edge: hive.raw.orders#price -> iceberg.mart.daily#total AGGREGATION
-- edge: hive.raw.orders#odate -> iceberg.mart.daily FILTER
-- edge: hive.raw.orders#odate -> iceberg.mart.daily GROUP_BY
-- edge: hive.raw.orders#custkey -> iceberg.mart.daily GROUP_BY
-- completeness: complete

CREATE TABLE iceberg.mart.daily
WITH (format = 'PARQUET', partitioning = ARRAY['day'])
AS
SELECT date_trunc('day', odate) AS day, custkey, sum(price) AS total
FROM hive.raw.orders
WHERE odate >= DATE '2024-01-01'
GROUP BY 1, 2;
