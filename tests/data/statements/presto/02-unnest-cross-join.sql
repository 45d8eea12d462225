-- columns: hive.raw.o(id, skus)
-- columns: hive.dw.o(id, sku)
-- edge: hive.raw.o#id -> hive.dw.o#id IDENTITY
-- edge: hive.raw.o#skus -> hive.dw.o#sku TRANSFORMATION
-- completeness: complete

INSERT INTO hive.dw.o SELECT o.id, t.sku FROM hive.raw.o o CROSS JOIN UNNEST(o.skus) AS t (sku);
