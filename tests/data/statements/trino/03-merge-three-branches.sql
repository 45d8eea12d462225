-- columns: iceberg.dw.item(sku, price, stock, discontinued)
-- columns: hive.stg.item(sku, price, delta, gone)
-- edge: hive.stg.item#sku -> iceberg.dw.item#sku IDENTITY
-- edge: hive.stg.item#price -> iceberg.dw.item#price IDENTITY
-- edge: iceberg.dw.item#stock -> iceberg.dw.item#stock TRANSFORMATION
-- edge: hive.stg.item#delta -> iceberg.dw.item#stock TRANSFORMATION
-- edge: hive.stg.item#delta -> iceberg.dw.item#stock IDENTITY
-- edge: iceberg.dw.item#sku -> iceberg.dw.item JOIN
-- edge: hive.stg.item#sku -> iceberg.dw.item JOIN
-- edge: hive.stg.item#gone -> iceberg.dw.item FILTER
-- completeness: complete

MERGE INTO iceberg.dw.item t
USING hive.stg.item s
ON (t.sku = s.sku)
WHEN MATCHED AND s.gone = true THEN DELETE
WHEN MATCHED THEN UPDATE SET price = s.price, stock = t.stock + s.delta
WHEN NOT MATCHED AND s.gone = false THEN INSERT (sku, price, stock) VALUES (s.sku, s.price, s.delta);
