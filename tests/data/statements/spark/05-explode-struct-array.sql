-- columns: raw.orders(id, lines array<struct<sku:string,qty:int>>, day)
-- columns: silver.order_lines(order_id, sku, qty)
-- edge: raw.orders#id -> silver.order_lines#order_id IDENTITY
-- edge: raw.orders#lines.sku -> silver.order_lines#sku IDENTITY
-- edge: raw.orders#lines.qty -> silver.order_lines#qty IDENTITY
-- edge: raw.orders#day -> silver.order_lines FILTER
-- completeness: complete
-- note: a field of an exploded struct is a field of the array's elements, passed on as it is

INSERT INTO silver.order_lines
SELECT o.id, l.line.sku, l.line.qty
FROM raw.orders o
LATERAL VIEW explode(o.lines) l AS line
WHERE o.day = DATE'2024-03-01';
