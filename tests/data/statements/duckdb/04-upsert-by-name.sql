-- columns: stg.p(price, sku)
-- columns: dw.p(sku, price)
-- edge: stg.p#sku -> dw.p#sku IDENTITY
-- edge: stg.p#price -> dw.p#price IDENTITY
-- completeness: complete

INSERT INTO dw.p BY NAME
SELECT price, sku FROM stg.p
ON CONFLICT (sku) DO UPDATE SET price = excluded.price;
