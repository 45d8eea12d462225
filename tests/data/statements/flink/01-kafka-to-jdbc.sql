-- edge: shop.orders#order_id -> shop.orders_sink#order_id IDENTITY
-- edge: shop.orders#price -> shop.orders_sink#amount TRANSFORMATION
-- edge: shop.orders#quantity -> shop.orders_sink#amount TRANSFORMATION
-- edge: shop.orders#order_time -> shop.orders_sink#order_time IDENTITY
-- edge: shop.orders#status -> shop.orders_sink FILTER
-- completeness: complete

CREATE TABLE shop.orders (
  order_id BIGINT,
  price DECIMAL(10, 2),
  quantity INT,
  status STRING,
  order_time TIMESTAMP(3),
  WATERMARK FOR order_time AS order_time - INTERVAL '5' SECOND
) WITH (
  'connector' = 'kafka',
  'topic' = 'orders',
  'properties.bootstrap.servers' = 'broker:9092',
  'format' = 'json'
);
CREATE TABLE shop.orders_sink (
  order_id BIGINT,
  amount DECIMAL(12, 2),
  order_time TIMESTAMP(3),
  PRIMARY KEY (order_id) NOT ENFORCED
) WITH ('connector' = 'jdbc', 'table-name' = 'orders');
INSERT INTO shop.orders_sink
SELECT order_id, price * quantity, order_time FROM shop.orders WHERE status = 'PAID';
