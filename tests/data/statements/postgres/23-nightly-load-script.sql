-- columns: stg.order_raw(doc, loaded_at)
-- columns: dim.customer(id, email)
-- columns: dw.orders(order_no, customer_id, total, placed_at)
-- columns: dw.order_line(order_no, sku, qty)
-- edge: stg.order_raw#doc -> dim.customer#email TRANSFORMATION
-- edge: stg.order_raw#doc -> dw.orders#order_no TRANSFORMATION
-- edge: dim.customer#id -> dw.orders#customer_id IDENTITY
-- edge: stg.order_raw#doc -> dw.orders#total TRANSFORMATION
-- edge: stg.order_raw#doc -> dw.orders#placed_at TRANSFORMATION
-- edge: stg.order_raw#doc -> dw.order_line#order_no TRANSFORMATION
-- edge: stg.order_raw#doc -> dw.order_line#sku TRANSFORMATION
-- edge: stg.order_raw#doc -> dw.order_line#qty TRANSFORMATION
-- edge: stg.order_raw#loaded_at -> dim.customer FILTER
-- edge: stg.order_raw#doc -> dim.customer FILTER
-- edge: dim.customer#email -> dim.customer FILTER
-- edge: stg.order_raw#loaded_at -> dw.orders FILTER
-- edge: dim.customer#email -> dw.orders JOIN
-- edge: stg.order_raw#doc -> dw.orders JOIN
-- edge: stg.order_raw#loaded_at -> dw.order_line FILTER
-- completeness: complete

BEGIN;

CREATE TEMP TABLE fresh AS
SELECT doc ->> 'no' AS order_no,
       lower(doc -> 'customer' ->> 'email') AS email,
       (doc ->> 'total')::numeric AS total,
       (doc ->> 'placed')::timestamptz AS placed_at,
       doc -> 'lines' AS lines
FROM stg.order_raw
WHERE loaded_at > now() - interval '1 day';

INSERT INTO dim.customer (email)
SELECT DISTINCT f.email
FROM fresh f
WHERE NOT EXISTS (SELECT 1 FROM dim.customer c WHERE c.email = f.email);

INSERT INTO dw.orders (order_no, customer_id, total, placed_at)
SELECT f.order_no, c.id, f.total, f.placed_at
FROM fresh f
JOIN dim.customer c ON c.email = f.email
ON CONFLICT (order_no) DO NOTHING;

INSERT INTO dw.order_line (order_no, sku, qty)
SELECT f.order_no, l.item ->> 'sku', (l.item ->> 'qty')::int
FROM fresh f, jsonb_array_elements(f.lines) AS l(item);

COMMIT;
