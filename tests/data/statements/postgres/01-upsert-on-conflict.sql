-- columns: stg.product(sku, name, price)
-- columns: dw.product(sku, name, price, updated_at)
-- edge: stg.product#sku -> dw.product#sku IDENTITY
-- edge: stg.product#name -> dw.product#name IDENTITY
-- edge: stg.product#price -> dw.product#price IDENTITY
-- completeness: complete

INSERT INTO dw.product (sku, name, price, updated_at)
SELECT sku, name, price, now()
FROM stg.product
ON CONFLICT (sku) DO UPDATE
SET name = EXCLUDED.name, price = EXCLUDED.price, updated_at = now();
