-- columns: hive.dw.o(id, sku)
-- edge: hive.raw.o#id -> hive.dw.o#id IDENTITY
-- edge: hive.raw.o#skus -> hive.dw.o#sku IDENTITY
-- completeness: any
-- note: an element is copied out of its array

INSERT INTO hive.dw.o SELECT o.id, t.sku FROM hive.raw.o o CROSS JOIN UNNEST(o.skus) AS t (sku);
