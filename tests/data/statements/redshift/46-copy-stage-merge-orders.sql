-- columns: dw.orders(order_id, status, amount, updated_at)
-- columns: stg.orders(order_id, status, amount, updated_at)
-- edge: s3://acme-lake:orders/incoming/ -> stg.orders TRANSFORMATION
-- edge: stg.orders#order_id -> dw.orders#order_id IDENTITY
-- edge: stg.orders#status -> dw.orders#status IDENTITY
-- edge: stg.orders#amount -> dw.orders#amount IDENTITY
-- edge: stg.orders#updated_at -> dw.orders#updated_at IDENTITY
-- edge: dw.orders#order_id -> dw.orders JOIN
-- edge: stg.orders#order_id -> dw.orders JOIN
-- completeness: any

TRUNCATE stg.orders;

COPY stg.orders
FROM 's3://acme-lake/orders/incoming/'
IAM_ROLE 'arn:aws:iam::111122223333:role/loader'
FORMAT AS JSON 'auto' TIMEFORMAT 'auto' GZIP;

MERGE INTO dw.orders
USING stg.orders AS s
ON dw.orders.order_id = s.order_id
WHEN MATCHED THEN UPDATE SET status = s.status, amount = s.amount, updated_at = s.updated_at
WHEN NOT MATCHED THEN INSERT (order_id, status, amount, updated_at)
VALUES (s.order_id, s.status, s.amount, s.updated_at);
