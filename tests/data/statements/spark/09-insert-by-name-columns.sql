-- columns: dw.product(product_id, name, margin)
-- edge: stg.p#pid -> dw.product#product_id IDENTITY
-- edge: stg.p#title -> dw.product#name TRANSFORMATION
-- edge: stg.p#price -> dw.product#margin TRANSFORMATION
-- edge: stg.p#cost -> dw.product#margin TRANSFORMATION
-- completeness: any

INSERT INTO dw.product (margin, product_id, name)
SELECT price - cost, pid, trim(title) FROM stg.p;
