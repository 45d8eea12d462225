-- database: acme
-- columns: acme.shop.orders(id, items ARRAY<STRUCT<sku STRING, qty INT64, price FLOAT64>>, ts)
-- edge: acme.shop.orders#id -> acme.dw.order_items#order_id IDENTITY
-- edge: acme.shop.orders#items.sku -> acme.dw.order_items#sku IDENTITY
-- edge: acme.shop.orders#items.qty -> acme.dw.order_items#line_total TRANSFORMATION
-- edge: acme.shop.orders#items.price -> acme.dw.order_items#line_total TRANSFORMATION
-- edge: acme.shop.orders#items.qty -> acme.dw.order_items FILTER
-- completeness: complete

CREATE OR REPLACE TABLE dw.order_items AS
SELECT o.id AS order_id, it.sku, it.qty * it.price AS line_total
FROM shop.orders AS o, UNNEST(o.items) AS it
WHERE it.qty > 0;
