; Loyalty points begin; one message is withdrawn and said again, one is withdrawn for good, one withdrawal is itself
; withdrawn.

# ods_schema update 2026-04-01T08:00:00+02:00 +3s tomas
> the loyalty programme begins
@@
   id INT, name STRING, medium STRING, utm STRING, budget DECIMAL(18,2), starts_on DATE, ends_on DATE
 ) STORED AS ORC;
+CREATE TABLE IF NOT EXISTS ods.loyalty_bookings (
+  id BIGINT, customer_id BIGINT, order_id BIGINT, points INT, kind STRING, booked_at TIMESTAMP
+) PARTITIONED BY (dt STRING) STORED AS ORC;

# sync_loyalty online 2026-04-01T08:05:00+02:00 +4s tomas
edges kafka:prod/loyalty -> hive:ods.loyalty_bookings
  id customer_id order_id points kind booked_at

# dwd_loyalty online 2026-04-01T08:10:00+02:00 +4s ivan spark/dwd
> the balance after every booking
CREATE OR REPLACE TABLE dwd.loyalty USING delta AS
SELECT
  customer_id,
  order_id,
  kind,
  points,
  booked_at,
  sum(points) OVER (PARTITION BY customer_id ORDER BY booked_at, id) AS balance
FROM (SELECT DISTINCT id, customer_id, order_id, kind, points, booked_at FROM ods.loyalty_bookings) b;

# dws_loyalty_balance online 2026-04-01T08:15:00+02:00 +5s ivan spark/dws
CREATE OR REPLACE TABLE dws.loyalty_balance USING delta AS
SELECT l.customer_id, c.country, max_by(l.balance, l.booked_at) AS balance, max(l.booked_at) AS last_booking
FROM dwd.loyalty l
JOIN dwd.customers c ON c.customer_id = l.customer_id
GROUP BY l.customer_id, c.country;

; Meant for the 20th, entered as the 2nd. The message is withdrawn and said again with the right day.
# dws_customer_segments update 2026-04-02T10:00:00+02:00 +6s lucia
> loyalty points count as orders
@@
-    WHEN orders >= 10 OR value > 2000 THEN 'gold'
+    WHEN orders >= 10 OR value > 2000 OR b.balance > 5000 THEN 'gold'
@@
-  value
-FROM dws.customer_lifetime;
+  value
+FROM dws.customer_lifetime l
+LEFT JOIN dws.loyalty_balance b ON b.customer_id = l.customer_id;
@@
 SELECT
-  customer_id,
+  l.customer_id,

# dws_sales_product_daily update 2026-04-03T04:20:00Z +4s nora
> departments without a name
@@
-  max(p.department),
+  coalesce(max(p.department), 'unsorted'),

# dws_customer_segments retract - 2026-04-07T09:12:00+02:00 lucia
> entered with the wrong day: the rule begins on the 20th
retracts dws_customer_segments-3

# dws_customer_segments update 2026-04-20T00:00:00+02:00 2026-04-07T09:15:30+02:00 lucia
> loyalty points count as orders, from the 20th on
as dws_customer_segments-3

; A test configuration reaches production, at least the register of it.
# ads_campaign_report update 2026-04-08T11:00:00+02:00 +9s lucia
> campaigns from the new tool
ALTER TABLE ads.campaign_report ADD COLUMNS (budget DECIMAL(18,2));

INSERT OVERWRITE TABLE ads.campaign_report PARTITION (dt = '${dt}')
SELECT t.campaign, t.orders, t.ordered_value, t.new_customers, t.budget
FROM staging.campaign_tool_export t
WHERE t.day = '${dt}';

# dwd_order_events update 2026-04-09T03:20:00Z +5s nora
> deliveries are events too
@@
-SELECT order_id, 'shipped', shipped_at, NULL FROM dwd.shipments WHERE dt = '${dt}';
+SELECT order_id, 'shipped', shipped_at, NULL FROM dwd.shipments WHERE dt = '${dt}'
+UNION ALL
+SELECT order_id, 'delivered', delivered_at, NULL FROM dwd.shipments WHERE dt = '${dt}' AND delivered_at IS NOT NULL;

# ads_campaign_report retract - 2026-04-10T16:45:00+02:00 tomas
> this was the staging configuration; production never ran it
retracts ads_campaign_report-2

# ads_finance_month update 2026-04-13T05:00:00Z +6s mei
> refunds for the auditors
@@
-CREATE TABLE IF NOT EXISTS ads.finance_month (month STRING, channel STRING, revenue DECIMAL(18,2), margin DECIMAL(18,2));
+CREATE TABLE IF NOT EXISTS ads.finance_month (month STRING, channel STRING, revenue DECIMAL(18,2), margin DECIMAL(18,2));
+ALTER TABLE ads.finance_month ADD COLUMNS (refunded DECIMAL(18,2));
@@
-SELECT r.month, r.channel, r.revenue, m.margin
+SELECT r.month, r.channel, r.revenue, m.margin, r.refunded
@@
-  SELECT substr(dt, 1, 7) AS month, channel, sum(revenue) AS revenue
+  SELECT substr(dt, 1, 7) AS month, channel, sum(revenue) AS revenue, sum(refunded) AS refunded

; Withdrawn for good.
# dws_basket_pairs offline 2026-04-15T18:00:00+02:00 +15s lucia
> takes two hours a night and nobody asks for it

# dws_campaign_visits update 2026-04-16T04:00:00Z +5s lucia
> what the visits put into their baskets
@@
 PARTITIONED BY (dt STRING);
+ALTER TABLE dws.campaign_visits ADD COLUMNS (baskets BIGINT);
@@
-SELECT k.campaign_id, max(k.campaign), max(k.medium), count(s.session_id), count(DISTINCT s.visitor_id)
+SELECT k.campaign_id, max(k.campaign), max(k.medium), count(s.session_id), count(DISTINCT s.visitor_id), count(DISTINCT e.session_id)
@@
 JOIN dwd.campaigns k ON k.utm = parse_url(s.landing_page, 'QUERY', 'utm_campaign')
+LEFT JOIN dwd.cart_events e ON e.session_id = s.session_id AND e.dt = s.dt

# sync_refunds update 2026-04-21T07:30:00+02:00 +11s tomas
> the topic says who asked for the refund; nobody reads it yet
edges kafka:prod/refunds -> hive:ods.refunds
  id order_id amount currency reason_code refunded_at requested_by

# dwd_inventory_daily update 2026-04-22T03:00:00Z +6s ivan
> stock on its way counts as available
@@
-SELECT upper(i.sku), i.store_id, i.on_hand - i.reserved, i.counted_at, s.country, i.dt
-FROM ods.inventory i
+SELECT upper(i.sku), i.store_id, i.on_hand - i.reserved + coalesce(w.qty, 0), i.counted_at, s.country, i.dt
+FROM ods.inventory i
+LEFT JOIN (
+  SELECT sku, sum(qty) AS qty FROM dwd.cart_events WHERE dt = '${dt}' GROUP BY sku
+) w ON w.sku = upper(i.sku)

; A withdrawal that is itself withdrawn: the update above was right after all.
# dwd_inventory_daily retract - 2026-04-23T08:05:00+02:00 ivan
> baskets are not deliveries?
retracts dwd_inventory_daily-2

# dwd_inventory_daily retract - 2026-04-24T09:30:00+02:00 ivan
> they are: the shop puts transfers between stores into baskets. The withdrawal was wrong
retracts dwd_inventory_daily-3

# ads_customer_360 update 2026-04-27T10:00:00+02:00 +4s ivan
> loyalty points for the service desk
CREATE OR REPLACE VIEW ads.customer_360 AS
SELECT c.customer_id, c.full_name, c.country, c.city, s.segment, l.orders, l.refunds, l.value, l.last_paid_at,
       b.balance AS points
FROM dwd.customers c
LEFT JOIN dws.customer_segments s ON s.customer_id = c.customer_id
LEFT JOIN dws.customer_lifetime l ON l.customer_id = c.customer_id
LEFT JOIN dws.loyalty_balance b ON b.customer_id = c.customer_id;

; The same event id with other content: the first is kept, this one is refused.
# again dws_campaign_visits-2 2026-04-28T09:00:00Z
@@
-WHERE s.dt = '${dt}' AND to_date(s.started_at) BETWEEN k.starts_on AND k.ends_on
+WHERE s.dt = '${dt}' AND s.clicks > 1 AND to_date(s.started_at) BETWEEN k.starts_on AND k.ends_on

; A withdrawal of something that was never said: refused, kept as a dead letter.
# dws_payment_mix retract - 2026-04-29T14:20:00+02:00 nora
> the tool wrote the event of another task
retracts dwd_payment-2

# ads_loyalty_report online 2026-04-30T05:00:00Z +5s mei spark/ads
CREATE OR REPLACE TABLE ads.loyalty_report USING delta AS
SELECT country, count(*) AS members, sum(balance) AS points, approx_count_distinct(CASE WHEN balance > 0 THEN customer_id END) AS active
FROM dws.loyalty_balance
GROUP BY country WITH ROLLUP;
