-- columns: dw.inventory(sku, qty, updated)
-- columns: stg.inventory(sku, delta, op, ts)
-- edge: dw.inventory#qty -> dw.inventory#qty TRANSFORMATION
-- edge: stg.inventory#delta -> dw.inventory#qty TRANSFORMATION
-- edge: stg.inventory#delta -> dw.inventory#qty IDENTITY
-- edge: stg.inventory#sku -> dw.inventory#sku IDENTITY
-- edge: stg.inventory#ts -> dw.inventory#updated IDENTITY
-- edge: dw.inventory#sku -> dw.inventory JOIN
-- edge: stg.inventory#sku -> dw.inventory JOIN
-- edge: stg.inventory#op -> dw.inventory FILTER
-- completeness: complete

MERGE INTO dw.inventory AS t
USING stg.inventory AS s
ON t.sku = s.sku
WHEN MATCHED AND s.op = 'D' THEN DELETE
WHEN MATCHED THEN UPDATE SET qty = t.qty + s.delta, updated = s.ts
WHEN NOT MATCHED THEN INSERT VALUES (s.sku, s.delta, s.ts);
