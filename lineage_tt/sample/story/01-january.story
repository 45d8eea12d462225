; The warehouse goes online, layer by layer: first the copies of the sources (ods), then clean tables (dwd),
; aggregates (dws), what reports read (ads), and the reports themselves.

# ods_schema online 2026-01-05T08:00:00Z +2s tomas hive/ods
> the tables that the syncs fill
CREATE TABLE IF NOT EXISTS ods.orders (
  id BIGINT, customer_id BIGINT, store_id INT, channel STRING, status STRING, amt DECIMAL(18,2), currency STRING,
  coupon_codes STRING, shipping_address STRING, created_at TIMESTAMP, updated_at TIMESTAMP
) PARTITIONED BY (dt STRING) STORED AS ORC;
CREATE TABLE IF NOT EXISTS ods.order_items (
  order_id BIGINT, line_no INT, sku STRING, qty INT, unit_price DECIMAL(18,2), discount DECIMAL(18,2)
) PARTITIONED BY (dt STRING) STORED AS ORC;
CREATE TABLE IF NOT EXISTS ods.payments (
  id BIGINT, order_id BIGINT, method STRING, amount DECIMAL(18,2), currency STRING, is_test BOOLEAN, paid_at TIMESTAMP
) PARTITIONED BY (dt STRING) STORED AS ORC;
CREATE TABLE IF NOT EXISTS ods.refunds (
  id BIGINT, order_id BIGINT, amount DECIMAL(18,2), currency STRING, reason_code STRING, refunded_at TIMESTAMP
) PARTITIONED BY (dt STRING) STORED AS ORC;
CREATE TABLE IF NOT EXISTS ods.shipments (
  id BIGINT, order_id BIGINT, carrier STRING, shipped_at TIMESTAMP, delivered_at TIMESTAMP, cost DECIMAL(18,2)
) PARTITIONED BY (dt STRING) STORED AS ORC;
CREATE TABLE IF NOT EXISTS ods.clicks (
  session_id STRING, visitor_id STRING, customer_id BIGINT, event STRING, url STRING, sku STRING, payload STRING,
  ts TIMESTAMP
) PARTITIONED BY (dt STRING) STORED AS ORC;
CREATE TABLE IF NOT EXISTS ods.customers (
  id BIGINT, email STRING, phone STRING, first_name STRING, last_name STRING, country STRING, city STRING,
  birth_date DATE, marketing_opt_in BOOLEAN, created_at TIMESTAMP, updated_at TIMESTAMP
) STORED AS ORC;
CREATE TABLE IF NOT EXISTS ods.products (
  sku STRING, name STRING, category_id INT, brand STRING, cost_price DECIMAL(18,2), list_price DECIMAL(18,2),
  attributes MAP<STRING, STRING>, active BOOLEAN
) STORED AS ORC;
CREATE TABLE IF NOT EXISTS ods.categories (id INT, parent_id INT, name STRING) STORED AS ORC;
CREATE TABLE IF NOT EXISTS ods.stores (
  id INT, name STRING, country STRING, city STRING, opened_on DATE
) STORED AS ORC;
CREATE TABLE IF NOT EXISTS ods.inventory (
  sku STRING, store_id INT, on_hand INT, reserved INT, counted_at TIMESTAMP
) PARTITIONED BY (dt STRING) STORED AS ORC;
CREATE TABLE IF NOT EXISTS ods.fx_rates (currency STRING, day DATE, rate DECIMAL(18,6)) STORED AS ORC;

# sync_orders online 2026-01-05T08:30:00Z 2026-01-05T08:30:07Z tomas
> release of the ods layer: one commit of the platform brings all syncs
edges kafka:prod/orders -> hive:ods.orders
  id customer_id store_id channel status amt currency created_at updated_at
  coupons -> coupon_codes | TRANSFORMATION | concat_ws(',', coupons)
  shipping -> shipping_address | TRANSFORMATION | to_json(shipping)

# sync_order_items online 2026-01-05T08:30:00Z 2026-01-05T08:30:07Z tomas
> release of the ods layer
edges kafka:prod/order_items -> hive:ods.order_items
  order_id line_no sku qty unit_price discount

# sync_payments online 2026-01-05T08:30:00Z 2026-01-05T08:30:07Z tomas
> release of the ods layer
edges kafka:prod/payments -> hive:ods.payments
  id order_id method amount currency is_test paid_at

# sync_refunds online 2026-01-05T08:30:00Z 2026-01-05T08:30:07Z tomas
> release of the ods layer
edges kafka:prod/refunds -> hive:ods.refunds
  id order_id amount currency reason_code refunded_at

# sync_shipments online 2026-01-05T08:30:00Z 2026-01-05T08:30:07Z tomas
> release of the ods layer
edges kafka:prod/shipments -> hive:ods.shipments
  id order_id carrier shipped_at delivered_at
  price -> cost | TRANSFORMATION | price / 100

# sync_clicks online 2026-01-05T08:30:00Z 2026-01-05T08:30:07Z tomas
> release of the ods layer
edges kafka:prod/clicks -> hive:ods.clicks
  session_id visitor_id customer_id event url sku ts
  body -> payload

# sync_customers online 2026-01-05T08:30:00Z 2026-01-05T08:30:07Z tomas
> release of the ods layer
edges postgres://crm:5432:crm.public.customers -> hive:ods.customers
  id email phone first_name last_name country city birth_date marketing_opt_in created_at updated_at

# sync_products online 2026-01-05T08:30:00Z 2026-01-05T08:30:07Z tomas
> release of the ods layer
edges postgres://erp:5432:erp.public.products -> hive:ods.products
  sku name category_id brand cost_price list_price active
  attrs -> attributes

# sync_categories online 2026-01-05T08:30:00Z 2026-01-05T08:30:07Z tomas
> release of the ods layer
edges postgres://erp:5432:erp.public.categories -> hive:ods.categories
  id parent_id name

# sync_stores online 2026-01-05T08:30:00Z 2026-01-05T08:30:07Z tomas
> release of the ods layer
edges postgres://erp:5432:erp.public.stores -> hive:ods.stores
  id name country city opened_on

# sync_inventory online 2026-01-05T08:30:00Z 2026-01-05T08:30:07Z tomas
> release of the ods layer
edges postgres://erp:5432:erp.public.stock -> hive:ods.inventory
  sku store_id on_hand reserved counted_at

# sync_fx_rates online 2026-01-05T08:30:00Z 2026-01-05T08:30:07Z tomas
> the bank's file of the day, copied as it is: no columns are declared, so this is a table edge
edges s3://partner-drop:fx/rates.csv -> hive:ods.fx_rates
  *

# dwd_orders online 2026-01-07T02:00:00Z +31s nora hive/dwd
> one row an order, its latest state
CREATE TABLE IF NOT EXISTS dwd.orders (
  order_id BIGINT, customer_id BIGINT, store_id INT, channel STRING, status STRING, amt DECIMAL(18,2),
  currency STRING, coupon_codes STRING, created_at TIMESTAMP
) PARTITIONED BY (dt STRING) STORED AS ORC;

INSERT OVERWRITE TABLE dwd.orders PARTITION (dt = '${dt}')
SELECT
  id,
  customer_id,
  coalesce(store_id, 0),
  lower(channel),
  status,
  amt,
  currency,
  coupon_codes,
  created_at
FROM (
  SELECT *, row_number() OVER (PARTITION BY id ORDER BY updated_at DESC) AS rn
  FROM ods.orders
  WHERE dt = '${dt}'
) latest
WHERE rn = 1;

# dwd_order_items online 2026-01-07T02:00:00Z +32s nora hive/dwd
> dynamic partitions: the day comes from the order
CREATE TABLE IF NOT EXISTS dwd.order_items (
  order_id BIGINT, line_no INT, sku STRING, qty INT, net_price DECIMAL(18,2)
) PARTITIONED BY (dt STRING) STORED AS ORC;
SET hive.exec.dynamic.partition.mode=nonstrict;

INSERT OVERWRITE TABLE dwd.order_items PARTITION (dt)
SELECT i.order_id, i.line_no, upper(i.sku), i.qty, i.unit_price - coalesce(i.discount, 0), date_format(o.created_at, 'yyyy-MM-dd')
FROM ods.order_items i
JOIN dwd.orders o ON o.order_id = i.order_id
WHERE i.dt >= date_sub('${dt}', 3);

# dwd_payments online 2026-01-07T02:05:00Z +12s nora hive/dwd
> payments that count: no test cards, one row a payment
CREATE TABLE IF NOT EXISTS dwd.payments (
  payment_id BIGINT, order_id BIGINT, method STRING, amount DECIMAL(18,2), currency STRING, paid_at TIMESTAMP
) PARTITIONED BY (dt STRING) STORED AS ORC;

INSERT OVERWRITE TABLE dwd.payments PARTITION (dt = '${dt}')
SELECT DISTINCT id, order_id, lower(method), amount, upper(currency), paid_at
FROM ods.payments
WHERE dt = '${dt}'
  AND NOT is_test;

# dwd_refunds online 2026-01-07T02:05:00Z +14s nora hive/dwd
CREATE TABLE IF NOT EXISTS dwd.refunds (
  refund_id BIGINT, order_id BIGINT, amount DECIMAL(18,2), currency STRING, reason STRING, refunded_at TIMESTAMP
) PARTITIONED BY (dt STRING) STORED AS ORC;

INSERT OVERWRITE TABLE dwd.refunds PARTITION (dt = '${dt}')
SELECT
  id,
  order_id,
  abs(amount),
  upper(currency),
  CASE reason_code WHEN 'DMG' THEN 'damaged' WHEN 'LATE' THEN 'late' WHEN 'SIZE' THEN 'does not fit' ELSE 'other' END,
  refunded_at
FROM ods.refunds
WHERE dt = '${dt}';

# dwd_shipments online 2026-01-07T02:10:00Z +9s nora hive/dwd
CREATE TABLE IF NOT EXISTS dwd.shipments (
  shipment_id BIGINT, order_id BIGINT, carrier STRING, shipped_at TIMESTAMP, delivered_at TIMESTAMP, cost DECIMAL(18,2)
) PARTITIONED BY (dt STRING) STORED AS ORC;

INSERT OVERWRITE TABLE dwd.shipments PARTITION (dt = '${dt}')
SELECT id, order_id, carrier, shipped_at, delivered_at, cost
FROM ods.shipments
WHERE dt = '${dt}';

# dwd_customers online 2026-01-08T03:00:00Z +5s ivan spark/dwd
> one row a customer, changed rows merged in
CREATE TABLE IF NOT EXISTS dwd.customers (
  customer_id BIGINT, email STRING, phone STRING, full_name STRING, country STRING, city STRING, birth_year INT,
  marketing_opt_in BOOLEAN, since DATE, updated_at TIMESTAMP
) USING delta;

MERGE INTO dwd.customers AS t
USING (
  SELECT id, lower(trim(email)) AS email, phone, concat_ws(' ', first_name, last_name) AS full_name, country, city,
         year(birth_date) AS birth_year, marketing_opt_in, to_date(created_at) AS since, updated_at
  FROM ods.customers
) AS s
ON t.customer_id = s.id
WHEN MATCHED AND s.updated_at > t.updated_at THEN UPDATE SET
  t.email = s.email, t.phone = s.phone, t.full_name = s.full_name, t.country = s.country, t.city = s.city,
  t.birth_year = s.birth_year, t.marketing_opt_in = s.marketing_opt_in, t.updated_at = s.updated_at
WHEN NOT MATCHED THEN INSERT
  (customer_id, email, phone, full_name, country, city, birth_year, marketing_opt_in, since, updated_at)
  VALUES (s.id, s.email, s.phone, s.full_name, s.country, s.city, s.birth_year, s.marketing_opt_in, s.since, s.updated_at);

# dwd_category_tree online 2026-01-08T03:00:00Z +6s ivan hive/dwd
> three levels are enough for this catalogue
CREATE TABLE dwd.category_tree STORED AS ORC AS
SELECT
  leaf.id AS category_id,
  leaf.name AS category,
  coalesce(mid.name, leaf.name) AS department,
  coalesce(top.name, mid.name, leaf.name) AS division
FROM ods.categories leaf
LEFT JOIN ods.categories mid ON mid.id = leaf.parent_id
LEFT JOIN ods.categories top ON top.id = mid.parent_id;

# dwd_products online 2026-01-08T03:05:00Z +3s ivan hive/dwd
CREATE TABLE IF NOT EXISTS dwd.products (
  sku STRING, product STRING, brand STRING, category STRING, department STRING, cost_price DECIMAL(18,2),
  list_price DECIMAL(18,2), colour STRING, weight_g INT
) STORED AS ORC;

INSERT OVERWRITE TABLE dwd.products
SELECT
  upper(p.sku),
  p.name,
  initcap(p.brand),
  t.category,
  t.department,
  p.cost_price,
  p.list_price,
  p.attributes['colour'],
  cast(p.attributes['weight_g'] AS INT)
FROM ods.products p
LEFT JOIN dwd.category_tree t ON t.category_id = p.category_id
WHERE p.active;

# dwd_stores online 2026-01-08T03:05:00Z +4s ivan hive/dwd
> a view is enough for forty rows
CREATE VIEW IF NOT EXISTS dwd.stores AS
SELECT id AS store_id, name AS store, country, city, opened_on FROM ods.stores
UNION ALL
SELECT 0 AS store_id, 'web shop' AS store, 'EU' AS country, NULL AS city, NULL AS opened_on;

# dwd_fx online 2026-01-08T03:10:00Z +3s mei spark/dwd
> a rate for every day: the last one known holds over weekends
CREATE OR REPLACE TABLE dwd.fx USING delta AS
SELECT
  currency,
  day,
  last_value(rate, true) OVER (PARTITION BY currency ORDER BY day) AS rate
FROM ods.fx_rates;

# dwd_clicks_split online 2026-01-09T02:00:00Z +21s lucia hive/dwd
> one pass over the clicks, three tables
CREATE TABLE IF NOT EXISTS dwd.page_views (session_id STRING, visitor_id STRING, url STRING, referrer STRING, ts TIMESTAMP)
PARTITIONED BY (dt STRING);
CREATE TABLE IF NOT EXISTS dwd.cart_events (session_id STRING, customer_id BIGINT, sku STRING, qty INT, ts TIMESTAMP)
PARTITIONED BY (dt STRING);
CREATE TABLE IF NOT EXISTS dwd.searches (session_id STRING, term STRING, hits INT, ts TIMESTAMP) PARTITIONED BY (dt STRING);

FROM ods.clicks c
INSERT OVERWRITE TABLE dwd.page_views PARTITION (dt = '${dt}')
  SELECT c.session_id, c.visitor_id, parse_url(c.url, 'PATH'), get_json_object(c.payload, '$.referrer'), c.ts
  WHERE c.dt = '${dt}' AND c.event = 'view'
INSERT OVERWRITE TABLE dwd.cart_events PARTITION (dt = '${dt}')
  SELECT c.session_id, c.customer_id, c.sku, cast(get_json_object(c.payload, '$.qty') AS INT), c.ts
  WHERE c.dt = '${dt}' AND c.event IN ('cart_add', 'cart_remove')
INSERT OVERWRITE TABLE dwd.searches PARTITION (dt = '${dt}')
  SELECT c.session_id, lower(get_json_object(c.payload, '$.q')), cast(get_json_object(c.payload, '$.hits') AS INT), c.ts
  WHERE c.dt = '${dt}' AND c.event = 'search';

# dwd_sessions online 2026-01-09T02:30:00Z +8s deploy-bot v1 spark/dwd
> a session ends after thirty minutes of silence
CREATE TABLE IF NOT EXISTS dwd.sessions (
  session_id STRING, visitor_id STRING, customer_id BIGINT, started_at TIMESTAMP, ended_at TIMESTAMP, clicks BIGINT,
  landing_page STRING
) USING delta PARTITIONED BY (dt STRING);

INSERT OVERWRITE TABLE dwd.sessions PARTITION (dt = '${dt}')
WITH ordered AS (
  SELECT c.*, lag(ts) OVER (PARTITION BY visitor_id ORDER BY ts) AS previous_ts
  FROM ods.clicks c
  WHERE dt = '${dt}'
), marked AS (
  SELECT *, sum(CASE WHEN unix_timestamp(ts) - unix_timestamp(previous_ts) > 1800 THEN 1 ELSE 0 END)
    OVER (PARTITION BY visitor_id ORDER BY ts) AS n
  FROM ordered
)
SELECT
  concat(visitor_id, '-', n) AS session_id,
  visitor_id,
  max(customer_id) AS customer_id,
  min(ts) AS started_at,
  max(ts) AS ended_at,
  count(*) AS clicks,
  min_by(url, ts) AS landing_page
FROM marked
GROUP BY visitor_id, n;

# dwd_inventory_daily online 2026-01-09T03:00:00Z +6s ivan hive/dwd
CREATE TABLE IF NOT EXISTS dwd.inventory_daily (sku STRING, store_id INT, available INT, counted_at TIMESTAMP)
PARTITIONED BY (country STRING, dt STRING);

INSERT OVERWRITE TABLE dwd.inventory_daily PARTITION (country, dt)
SELECT upper(i.sku), i.store_id, i.on_hand - i.reserved, i.counted_at, s.country, i.dt
FROM ods.inventory i
JOIN dwd.stores s ON s.store_id = i.store_id
WHERE i.dt = '${dt}'
DISTRIBUTE BY s.country;

# dwd_coupons online 2026-01-09T03:00:00Z +7s lucia hive/dwd
> one row a coupon used
CREATE TABLE IF NOT EXISTS dwd.coupons (order_id BIGINT, code STRING, amt DECIMAL(18,2)) PARTITIONED BY (dt STRING);

INSERT OVERWRITE TABLE dwd.coupons PARTITION (dt = '${dt}')
SELECT o.order_id, upper(trim(used.code)), o.amt
FROM dwd.orders o
LATERAL VIEW explode(split(o.coupon_codes, ',')) used AS code
WHERE o.dt = '${dt}' AND o.coupon_codes IS NOT NULL;

# dwd_order_events online 2026-01-09T03:20:00Z +5s nora hive/dwd
> everything that happens to an order, in one long table
CREATE TABLE IF NOT EXISTS dwd.order_events (order_id BIGINT, event STRING, at TIMESTAMP, amount DECIMAL(18,2))
PARTITIONED BY (dt STRING);

INSERT OVERWRITE TABLE dwd.order_events PARTITION (dt = '${dt}')
SELECT order_id, 'created', created_at, amt FROM dwd.orders WHERE dt = '${dt}'
UNION ALL
SELECT order_id, 'paid', paid_at, amount FROM dwd.payments WHERE dt = '${dt}'
UNION ALL
SELECT order_id, 'refunded', refunded_at, -amount FROM dwd.refunds WHERE dt = '${dt}'
UNION ALL
SELECT order_id, 'shipped', shipped_at, NULL FROM dwd.shipments WHERE dt = '${dt}';

# dws_sales_daily online 2026-01-12T04:00:00Z +11s nora hive/dws
> what was ordered, by store and channel
CREATE TABLE IF NOT EXISTS dws.sales_daily (
  store_id INT, channel STRING, orders BIGINT, customers BIGINT, ordered_value DECIMAL(18,2)
) PARTITIONED BY (dt STRING);

INSERT OVERWRITE TABLE dws.sales_daily PARTITION (dt = '${dt}')
SELECT store_id, channel, count(*), count(DISTINCT customer_id), sum(amt)
FROM dwd.orders
WHERE dt = '${dt}' AND status <> 'cancelled'
GROUP BY store_id, channel;

# dws_order_wide online 2026-01-12T04:10:00Z +7s nora spark/dws
> one wide row an order, for analysts
CREATE OR REPLACE TABLE dws.order_wide USING delta AS
SELECT
  o.*,
  s.store,
  s.country AS store_country,
  p.method AS payment_method,
  coalesce(r.refunded, 0) AS refunded
FROM dwd.orders o
LEFT JOIN dwd.stores s ON s.store_id = o.store_id
LEFT JOIN dwd.payments p ON p.order_id = o.order_id
LEFT JOIN (SELECT order_id, sum(amount) AS refunded FROM dwd.refunds GROUP BY order_id) r ON r.order_id = o.order_id;

# dws_sales_product_daily online 2026-01-12T04:20:00Z +4s nora hive/dws
CREATE TABLE IF NOT EXISTS dws.sales_product_daily (
  sku STRING, product STRING, brand STRING, department STRING, pieces BIGINT, value DECIMAL(18,2), margin DECIMAL(18,2)
) PARTITIONED BY (dt STRING);

INSERT OVERWRITE TABLE dws.sales_product_daily PARTITION (dt = '${dt}')
SELECT
  i.sku,
  max(p.product),
  max(p.brand),
  max(p.department),
  sum(i.qty),
  sum(i.qty * i.net_price),
  sum(i.qty * (i.net_price - p.cost_price))
FROM dwd.order_items i
JOIN dwd.products p ON p.sku = i.sku
WHERE i.dt = '${dt}'
GROUP BY i.sku;

# dws_sales_category_daily online 2026-01-12T04:30:00Z +4s nora hive/dws
> rolled up with subtotals
CREATE TABLE IF NOT EXISTS dws.sales_category_daily (
  division STRING, department STRING, category STRING, pieces BIGINT, value DECIMAL(18,2)
) PARTITIONED BY (dt STRING);

INSERT OVERWRITE TABLE dws.sales_category_daily PARTITION (dt = '${dt}')
SELECT t.division, t.department, t.category, sum(s.pieces), sum(s.value)
FROM dws.sales_product_daily s
JOIN dwd.products p ON p.sku = s.sku
JOIN dwd.category_tree t ON t.category = p.category
WHERE s.dt = '${dt}'
GROUP BY t.division, t.department, t.category
GROUPING SETS ((t.division), (t.division, t.department), (t.division, t.department, t.category));

# dws_customer_first_order online 2026-01-13T04:00:00Z +9s ivan hive/dws
CREATE TABLE dws.customer_first_order STORED AS ORC AS
SELECT customer_id, min(created_at) AS first_order_at, min_by(order_id, created_at) AS first_order_id
FROM dwd.orders
WHERE status <> 'cancelled'
GROUP BY customer_id;

# dws_customer_lifetime online 2026-01-13T04:10:00Z +5s ivan spark/dws
> what a customer has ordered, paid and sent back so far
CREATE OR REPLACE TABLE dws.customer_lifetime USING delta AS
WITH paid AS (
  SELECT o.customer_id, count(DISTINCT o.order_id) AS orders, sum(p.amount) AS paid, max(p.paid_at) AS last_paid_at
  FROM dwd.orders o JOIN dwd.payments p USING (order_id)
  GROUP BY o.customer_id
), returned AS (
  SELECT o.customer_id, sum(r.amount) AS refunded
  FROM dwd.orders o JOIN dwd.refunds r USING (order_id)
  GROUP BY o.customer_id
)
SELECT
  f.customer_id,
  f.first_order_at,
  paid.last_paid_at,
  paid.orders,
  paid.paid - coalesce(returned.refunded, 0) AS value
FROM dws.customer_first_order f
JOIN paid ON paid.customer_id = f.customer_id
LEFT JOIN returned ON returned.customer_id = f.customer_id;

# dws_customer_segments online 2026-01-13T04:20:00Z +5s lucia hive/dws
CREATE TABLE IF NOT EXISTS dws.customer_segments (customer_id BIGINT, segment STRING, value DECIMAL(18,2));

INSERT OVERWRITE TABLE dws.customer_segments
SELECT
  customer_id,
  CASE
    WHEN orders >= 10 OR value > 2000 THEN 'gold'
    WHEN orders >= 3 THEN 'silver'
    ELSE 'new'
  END,
  value
FROM dws.customer_lifetime;

# dws_revenue_daily online 2026-01-14T04:00:00Z +6s nora hive/dws
> revenue is what was paid
CREATE TABLE IF NOT EXISTS dws.revenue_daily (channel STRING, revenue DECIMAL(18,2), orders BIGINT)
PARTITIONED BY (dt STRING);

INSERT OVERWRITE TABLE dws.revenue_daily PARTITION (dt = '${dt}')
SELECT
  o.channel,
  sum(p.amount) AS revenue,
  count(DISTINCT o.order_id) AS orders
FROM dwd.payments p
JOIN dwd.orders o ON o.order_id = p.order_id
WHERE p.dt = '${dt}'
GROUP BY o.channel;

# dws_payment_mix online 2026-01-14T04:10:00Z +6s nora spark/dws
> one column a method
CREATE OR REPLACE TABLE dws.payment_mix USING delta AS
SELECT
  dt,
  sum(CASE WHEN method = 'card' THEN amount END) AS card,
  sum(CASE WHEN method = 'invoice' THEN amount END) AS invoice,
  sum(CASE WHEN method = 'wallet' THEN amount END) AS wallet,
  sum(amount) AS total
FROM dwd.payments
GROUP BY dt;

# dws_refund_rate online 2026-01-14T04:20:00Z +5s nora hive/dws
CREATE TABLE IF NOT EXISTS dws.refund_rate (reason STRING, refunds BIGINT, refunded DECIMAL(18,2), rate DOUBLE)
PARTITIONED BY (dt STRING);

INSERT OVERWRITE TABLE dws.refund_rate PARTITION (dt = '${dt}')
SELECT r.reason, count(*), sum(r.amount), sum(r.amount) / max(d.revenue)
FROM dwd.refunds r
CROSS JOIN (SELECT sum(revenue) AS revenue FROM dws.revenue_daily WHERE dt = '${dt}') d
WHERE r.dt = '${dt}'
GROUP BY r.reason;

# dws_stock_cover online 2026-01-15T04:00:00Z +7s ivan hive/dws
> for how many days the stock will last
CREATE TABLE IF NOT EXISTS dws.stock_cover (sku STRING, store_id INT, available INT, sold_per_day DOUBLE, days_left DOUBLE)
PARTITIONED BY (dt STRING);

WITH sold AS (
  SELECT i.sku, o.store_id, sum(i.qty) / 28.0 AS per_day
  FROM dwd.order_items i JOIN dwd.orders o ON o.order_id = i.order_id
  WHERE i.dt > date_sub('${dt}', 28)
  GROUP BY i.sku, o.store_id
)
INSERT OVERWRITE TABLE dws.stock_cover PARTITION (dt = '${dt}')
SELECT v.sku, v.store_id, v.available, sold.per_day, v.available / sold.per_day
FROM dwd.inventory_daily v
LEFT JOIN sold ON sold.sku = v.sku AND sold.store_id = v.store_id
WHERE v.dt = '${dt}';

# dws_store_ranking online 2026-01-15T04:10:00Z +5s deploy-bot v1 spark/dws
CREATE OR REPLACE TABLE dws.store_ranking USING delta AS
SELECT
  d.dt,
  s.store,
  s.country,
  d.ordered_value,
  rank() OVER (PARTITION BY d.dt, s.country ORDER BY d.ordered_value DESC) AS place
FROM dws.sales_daily d
JOIN dwd.stores s ON s.store_id = d.store_id;

# dws_funnel_daily online 2026-01-15T04:20:00Z +5s lucia hive/dws
> from a visit to a paid order
CREATE TABLE IF NOT EXISTS dws.funnel_daily (visits BIGINT, with_search BIGINT, with_cart BIGINT, with_order BIGINT)
PARTITIONED BY (dt STRING);

INSERT OVERWRITE TABLE dws.funnel_daily PARTITION (dt = '${dt}')
SELECT
  count(DISTINCT s.session_id),
  count(DISTINCT q.session_id),
  count(DISTINCT c.session_id),
  count(DISTINCT o.order_id)
FROM dwd.sessions s
LEFT JOIN dwd.searches q ON q.session_id = s.session_id
LEFT JOIN dwd.cart_events c ON c.session_id = s.session_id
LEFT JOIN dwd.orders o ON o.customer_id = s.customer_id AND o.dt = s.dt
WHERE s.dt = '${dt}';

# dws_delivery_times online 2026-01-15T04:30:00Z +6s nora hive/dws
CREATE TABLE IF NOT EXISTS dws.delivery_times (carrier STRING, country STRING, shipments BIGINT, median_hours DOUBLE)
PARTITIONED BY (dt STRING);

INSERT OVERWRITE TABLE dws.delivery_times PARTITION (dt = '${dt}')
SELECT
  h.carrier,
  s.country,
  count(*),
  percentile_approx((unix_timestamp(h.delivered_at) - unix_timestamp(o.created_at)) / 3600, 0.5)
FROM dwd.shipments h
JOIN dwd.orders o ON o.order_id = h.order_id
JOIN dwd.stores s ON s.store_id = o.store_id
WHERE h.dt = '${dt}'
GROUP BY h.carrier, s.country;

# dws_margin_daily online 2026-01-16T04:00:00Z +6s mei spark/dws
CREATE OR REPLACE TABLE dws.margin_daily USING delta AS
WITH freight AS (
  SELECT dt, sum(cost) AS freight FROM dwd.shipments GROUP BY dt
)
SELECT m.dt, m.department, sum(m.value) AS value, sum(m.margin) AS margin,
       sum(m.margin) - max(f.freight) * sum(m.value) / sum(sum(m.value)) OVER (PARTITION BY m.dt) AS margin_after_freight
FROM dws.sales_product_daily m
JOIN freight f ON f.dt = m.dt
GROUP BY m.dt, m.department;

# dws_basket_pairs online 2026-01-16T04:10:00Z +7s lucia hive/dws
> what is bought together
CREATE TABLE dws.basket_pairs STORED AS ORC AS
SELECT a.sku AS sku, b.sku AS bought_with, count(*) AS times
FROM dwd.order_items a
JOIN dwd.order_items b ON a.order_id = b.order_id
WHERE a.sku < b.sku
GROUP BY a.sku, b.sku
HAVING count(*) > 5;

# dws_coupon_effect online 2026-01-16T04:20:00Z +6s lucia hive/dws
CREATE TABLE IF NOT EXISTS dws.coupon_effect (code STRING, used BIGINT, ordered_value DECIMAL(18,2), new_customers BIGINT)
PARTITIONED BY (dt STRING);

INSERT OVERWRITE TABLE dws.coupon_effect PARTITION (dt = '${dt}')
SELECT
  c.code,
  count(*),
  sum(c.amt),
  sum(CASE WHEN f.first_order_id = c.order_id THEN 1 ELSE 0 END)
FROM dwd.coupons c
LEFT JOIN dws.customer_first_order f ON f.first_order_id = c.order_id
WHERE c.dt = '${dt}'
GROUP BY c.code;

# dws_cohorts online 2026-01-16T04:30:00Z +5s lucia spark/dws
CREATE OR REPLACE TABLE dws.cohorts USING delta AS
SELECT
  date_trunc('MONTH', f.first_order_at) AS cohort,
  cast(months_between(date_trunc('MONTH', o.created_at), date_trunc('MONTH', f.first_order_at)) AS INT) AS month_no,
  count(DISTINCT o.customer_id) AS customers,
  sum(o.amt) AS ordered_value
FROM dwd.orders o
JOIN dws.customer_first_order f ON f.customer_id = o.customer_id
GROUP BY 1, 2;

# ads_revenue_board online 2026-01-19T05:00:00Z +5s mei hive/ads
> what the revenue board shows
CREATE TABLE IF NOT EXISTS ads.revenue_board (day STRING, channel STRING, revenue DECIMAL(18,2), orders BIGINT, average DECIMAL(18,2));

INSERT OVERWRITE TABLE ads.revenue_board
SELECT dt, channel, revenue, orders, revenue / orders
FROM dws.revenue_daily
WHERE dt >= date_sub('${dt}', 400);

# ads_store_board online 2026-01-19T05:05:00Z +5s mei hive/ads
CREATE TABLE IF NOT EXISTS ads.store_board (day STRING, country STRING, store STRING, ordered_value DECIMAL(18,2), place INT);

INSERT OVERWRITE TABLE ads.store_board
SELECT dt, country, store, ordered_value, place
FROM dws.store_ranking
WHERE place <= 10
ORDER BY dt, country, place;

# ads_customer_360 online 2026-01-20T05:00:00Z +5s ivan hive/ads
> for the service desk; no contact data
CREATE VIEW ads.customer_360 AS
SELECT c.customer_id, c.full_name, c.country, c.city, s.segment, l.orders, l.value, l.last_paid_at
FROM dwd.customers c
LEFT JOIN dws.customer_segments s ON s.customer_id = c.customer_id
LEFT JOIN dws.customer_lifetime l ON l.customer_id = c.customer_id;

# ads_top_customers online 2026-01-20T05:10:00Z +5s lucia spark/ads
> the hundred best customers, by name of city only
CREATE OR REPLACE TABLE ads.top_customers USING delta AS
SELECT
  c.customer_id,
  concat('customer ', c.customer_id, ', ', c.city) AS contact,
  s.segment,
  s.value
FROM dws.customer_segments s
JOIN dwd.customers c ON c.customer_id = s.customer_id
ORDER BY s.value DESC
LIMIT 100;

# ads_stock_alerts online 2026-01-20T05:20:00Z +4s ivan hive/ads
CREATE TABLE IF NOT EXISTS ads.stock_alerts (sku STRING, store STRING, days_left DOUBLE) PARTITIONED BY (dt STRING);

INSERT OVERWRITE TABLE ads.stock_alerts PARTITION (dt = '${dt}')
SELECT k.sku, s.store, k.days_left
FROM dws.stock_cover k
JOIN dwd.stores s ON s.store_id = k.store_id
WHERE k.dt = '${dt}' AND k.days_left < 7;

# ads_returns_report online 2026-01-21T05:00:00Z +6s mei hive/ads
CREATE TABLE IF NOT EXISTS ads.returns_report (day STRING, reason STRING, refunds BIGINT, refunded DECIMAL(18,2), rate DOUBLE);

INSERT INTO ads.returns_report (day, reason, refunds, refunded, rate)
SELECT dt, reason, refunds, refunded, rate FROM dws.refund_rate WHERE dt = '${dt}';

# ads_campaign_report online 2026-01-21T05:10:00Z +6s lucia hive/ads
> coupons stand for campaigns here
CREATE TABLE IF NOT EXISTS ads.campaign_report (campaign STRING, orders BIGINT, ordered_value DECIMAL(18,2), new_customers BIGINT)
PARTITIONED BY (dt STRING);

INSERT OVERWRITE TABLE ads.campaign_report PARTITION (dt = '${dt}')
SELECT substr(code, 1, 4), sum(used), sum(ordered_value), sum(new_customers)
FROM dws.coupon_effect
WHERE dt = '${dt}'
GROUP BY substr(code, 1, 4);

# ads_churn_features online 2026-01-21T05:20:00Z +6s lucia spark/ads
> a bare SELECT: the platform writes it to the target
target: hive:ads.churn_features
SELECT
  l.*,
  s.segment,
  datediff(current_date(), l.last_paid_at) AS days_silent,
  count(v.session_id) AS sessions
FROM dws.customer_lifetime l
JOIN dws.customer_segments s ON s.customer_id = l.customer_id
LEFT JOIN dwd.sessions v ON v.customer_id = l.customer_id AND v.dt > date_sub(current_date(), 90)
GROUP BY ALL

# ads_finance_month online 2026-01-22T05:00:00Z +7s mei hive/ads
CREATE TABLE IF NOT EXISTS ads.finance_month (month STRING, channel STRING, revenue DECIMAL(18,2), margin DECIMAL(18,2));

INSERT OVERWRITE TABLE ads.finance_month
SELECT r.month, r.channel, r.revenue, m.margin
FROM (
  SELECT substr(dt, 1, 7) AS month, channel, sum(revenue) AS revenue
  FROM dws.revenue_daily GROUP BY substr(dt, 1, 7), channel
) r
LEFT JOIN (
  SELECT substr(dt, 1, 7) AS month, sum(margin) AS margin FROM dws.margin_daily GROUP BY substr(dt, 1, 7)
) m ON m.month = r.month;

# ads_delivery_sla online 2026-01-22T05:10:00Z +4s nora hive/ads
CREATE VIEW ads.delivery_sla AS
SELECT dt AS day, carrier, country, shipments, median_hours, median_hours <= 72 AS in_time
FROM dws.delivery_times;

# ads_newsletter_audience online 2026-01-22T05:20:00Z +5s lucia hive/ads
> only who said yes
CREATE TABLE IF NOT EXISTS ads.newsletter_audience (email STRING, first_name STRING, segment STRING);

INSERT OVERWRITE TABLE ads.newsletter_audience
SELECT c.email, split(c.full_name, ' ')[0], s.segment
FROM dwd.customers c
LEFT SEMI JOIN dws.customer_first_order f ON f.customer_id = c.customer_id
LEFT JOIN dws.customer_segments s ON s.customer_id = c.customer_id
WHERE c.marketing_opt_in AND c.email IS NOT NULL;

# ads_executive_summary online 2026-01-23T05:00:00Z +6s mei spark/ads
CREATE OR REPLACE TABLE ads.executive_summary USING delta AS
SELECT 'revenue' AS figure, day, sum(revenue) AS value FROM ads.revenue_board GROUP BY day
UNION ALL
SELECT 'orders', day, sum(orders) FROM ads.revenue_board GROUP BY day
UNION ALL
SELECT 'refunded', day, sum(refunded) FROM ads.returns_report GROUP BY day;

# board_42 online 2026-01-26T09:00:00Z +60s mei
> the revenue board opens
edges hive:ads.revenue_board -> bi:board/42
  day channel revenue orders average

# board_17 online 2026-01-26T09:10:00Z +60s mei
> the customer board opens
edges hive:ads.top_customers -> bi:board/17
  customer_id contact segment value

# board_58 online 2026-01-26T09:20:00Z +60s mei
edges hive:ads.store_board -> bi:board/58
  day country store ordered_value place

# export_newsletter online 2026-01-27T06:00:00Z +30s lucia
> the mailing house fetches this file
edges hive:ads.newsletter_audience -> sftp:mailer/audience.csv
  email first_name
  segment -> list | TRANSFORMATION | concat('list-', segment)
