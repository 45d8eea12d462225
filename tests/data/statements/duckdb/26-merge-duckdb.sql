-- columns: dw.i(sku, qty)
-- columns: stg.i(sku, qty)
-- edge: stg.i#sku -> dw.i#sku IDENTITY
-- edge: stg.i#qty -> dw.i#qty IDENTITY
-- edge: dw.i#qty -> dw.i#qty TRANSFORMATION
-- edge: stg.i#qty -> dw.i#qty TRANSFORMATION
-- edge: dw.i#sku -> dw.i JOIN
-- edge: stg.i#sku -> dw.i JOIN
-- completeness: complete

MERGE INTO dw.i AS t
USING stg.i AS s
ON t.sku = s.sku
WHEN MATCHED THEN UPDATE SET qty = t.qty + s.qty
WHEN NOT MATCHED THEN INSERT (sku, qty) VALUES (s.sku, s.qty);
