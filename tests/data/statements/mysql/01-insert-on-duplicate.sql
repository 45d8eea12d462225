-- columns: stg.stock(sku, qty, at)
-- columns: dw.stock(sku, qty, at)
-- edge: stg.stock#sku -> dw.stock#sku IDENTITY
-- edge: stg.stock#qty -> dw.stock#qty IDENTITY
-- edge: stg.stock#at -> dw.stock#at IDENTITY
-- edge: dw.stock#qty -> dw.stock#qty TRANSFORMATION
-- edge: stg.stock#qty -> dw.stock#qty TRANSFORMATION
-- completeness: complete

INSERT INTO dw.stock (sku, qty, at)
SELECT sku, qty, at FROM stg.stock
ON DUPLICATE KEY UPDATE qty = dw.stock.qty + VALUES(qty), at = VALUES(at);
