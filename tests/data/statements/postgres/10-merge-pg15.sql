-- columns: dw.stock(sku, qty)
-- columns: stg.mv(sku, delta)
-- edge: stg.mv#sku -> dw.stock#sku IDENTITY
-- edge: dw.stock#qty -> dw.stock#qty TRANSFORMATION
-- edge: stg.mv#delta -> dw.stock#qty TRANSFORMATION
-- edge: stg.mv#delta -> dw.stock#qty IDENTITY
-- edge: dw.stock#sku -> dw.stock JOIN
-- edge: stg.mv#sku -> dw.stock JOIN
-- edge: dw.stock#qty -> dw.stock FILTER
-- edge: stg.mv#delta -> dw.stock FILTER
-- completeness: complete

MERGE INTO dw.stock AS t
USING stg.mv AS s ON t.sku = s.sku
WHEN MATCHED AND t.qty + s.delta <= 0 THEN DELETE
WHEN MATCHED THEN UPDATE SET qty = t.qty + s.delta
WHEN NOT MATCHED THEN INSERT (sku, qty) VALUES (s.sku, s.delta);
