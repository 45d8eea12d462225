-- columns: main.raw.inv(inv_id, rows array<struct<sku:string,n:int>>)
-- edge: main.raw.inv#inv_id -> main.silver.inv_row#inv_id IDENTITY
-- edge: main.raw.inv#rows.sku -> main.silver.inv_row#sku IDENTITY
-- edge: main.raw.inv#rows.n -> main.silver.inv_row#n IDENTITY
-- completeness: complete

CREATE OR REPLACE TABLE main.silver.inv_row AS
SELECT i.inv_id, r.sku, r.n
FROM main.raw.inv i
LATERAL VIEW inline(i.rows) r AS sku, n;
