-- columns: main.raw.inv(inv_id, rows array<struct<sku:string,n:int>>)
-- edge: main.raw.inv#inv_id -> main.silver.inv_row#inv_id IDENTITY
-- edge: main.raw.inv#rows -> main.silver.inv_row#sku TRANSFORMATION
-- edge: main.raw.inv#rows -> main.silver.inv_row#n TRANSFORMATION
-- completeness: complete
-- note: INLINE makes its columns of the array as a whole, as in Spark's plan

CREATE OR REPLACE TABLE main.silver.inv_row AS
SELECT i.inv_id, r.sku, r.n
FROM main.raw.inv i
LATERAL VIEW inline(i.rows) r AS sku, n;
