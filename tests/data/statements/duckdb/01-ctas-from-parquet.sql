-- edge: s3://lake:sales/*.parquet#region -> mart.s#region IDENTITY
-- edge: s3://lake:sales/*.parquet#amt -> mart.s#amt AGGREGATION
-- edge: s3://lake:sales/*.parquet#region -> mart.s GROUP_BY
-- completeness: any

CREATE OR REPLACE TABLE mart.s AS
SELECT region, sum(amt) AS amt FROM read_parquet('s3://lake/sales/*.parquet') GROUP BY region;
