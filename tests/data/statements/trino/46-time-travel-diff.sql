-- columns: iceberg.dw.price(sku, price)
-- edge: iceberg.dw.price#sku -> hive.mart.price_change#sku IDENTITY
-- edge: iceberg.dw.price#price -> hive.mart.price_change#old_price IDENTITY
-- edge: iceberg.dw.price#price -> hive.mart.price_change#new_price IDENTITY
-- edge: iceberg.dw.price#sku -> hive.mart.price_change JOIN
-- edge: iceberg.dw.price#price -> hive.mart.price_change FILTER
-- completeness: complete

CREATE TABLE hive.mart.price_change AS
SELECT n.sku, o.price AS old_price, n.price AS new_price
FROM iceberg.dw.price n
JOIN iceberg.dw.price FOR TIMESTAMP AS OF TIMESTAMP '2025-01-01 00:00:00 UTC' o
  ON o.sku = n.sku
WHERE n.price <> o.price;
