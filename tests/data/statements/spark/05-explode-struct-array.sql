-- columns: raw.orders(id, lines array<struct<sku:string,qty:int>>, day)
-- columns: silver.order_lines(order_id, sku, qty)
-- edge: raw.orders#id -> silver.order_lines#order_id IDENTITY
-- edge: raw.orders#lines -> silver.order_lines#sku TRANSFORMATION
-- edge: raw.orders#lines -> silver.order_lines#qty TRANSFORMATION
-- edge: raw.orders#day -> silver.order_lines FILTER
-- completeness: complete
-- note: EXPLODE makes its element of the array as a whole, as in Spark's plan

INSERT INTO silver.order_lines
SELECT o.id, l.line.sku, l.line.qty
FROM raw.orders o
LATERAL VIEW explode(o.lines) l AS line
WHERE o.day = DATE'2024-03-01';
