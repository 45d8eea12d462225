-- columns: default_catalog.dw.o(id, amt)
-- edge: hive_cat.ods.o#id -> default_catalog.dw.o#id IDENTITY
-- edge: hive_cat.ods.o#amt -> default_catalog.dw.o#amt IDENTITY
-- edge: hive_cat.ods.o#dt -> default_catalog.dw.o FILTER
-- completeness: any

INSERT INTO default_catalog.dw.o (id, amt)
SELECT id, amt FROM hive_cat.ods.o WHERE dt = '2024-01-01';
