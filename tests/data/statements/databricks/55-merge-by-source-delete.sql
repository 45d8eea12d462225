-- columns: prod.dim.sku(sku, title, price, hash)
-- columns: prod.stg.sku(sku, title, price)
-- edge: prod.stg.sku#sku -> prod.dim.sku#sku IDENTITY
-- edge: prod.stg.sku#title -> prod.dim.sku#title IDENTITY
-- edge: prod.stg.sku#price -> prod.dim.sku#price IDENTITY
-- edge: prod.stg.sku#title -> prod.dim.sku#hash TRANSFORMATION
-- edge: prod.stg.sku#price -> prod.dim.sku#hash TRANSFORMATION
-- edge: prod.dim.sku#sku -> prod.dim.sku JOIN
-- edge: prod.stg.sku#sku -> prod.dim.sku JOIN
-- edge: prod.dim.sku#hash -> prod.dim.sku FILTER
-- edge: prod.stg.sku#title -> prod.dim.sku FILTER
-- edge: prod.stg.sku#price -> prod.dim.sku FILTER
-- edge: prod.dim.sku#price -> prod.dim.sku FILTER
-- completeness: complete

MERGE INTO prod.dim.sku AS t
USING (SELECT sku, title, price, sha2(concat_ws('|', title, price), 256) AS hash FROM prod.stg.sku) AS s
ON t.sku = s.sku
WHEN MATCHED AND t.hash <> s.hash THEN UPDATE SET *
WHEN NOT MATCHED THEN INSERT *
WHEN NOT MATCHED BY SOURCE AND t.price = 0 THEN DELETE;
