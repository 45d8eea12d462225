; The first ordinary month: edits, a formatter that changes no edge, a correction at the same effective_at, and two
; messages whose order of arrival is not the platform's own order.

# dwd_order_items update 2026-02-02T10:15:00+01:00 +6s nora
> the discount is asked for often enough to keep it
@@
-SET hive.exec.dynamic.partition.mode=nonstrict;
+ALTER TABLE dwd.order_items ADD COLUMNS (discount DECIMAL(18,2));
+SET hive.exec.dynamic.partition.mode=nonstrict;
@@
-SELECT i.order_id, i.line_no, upper(i.sku), i.qty, i.unit_price - coalesce(i.discount, 0), date_format(o.created_at, 'yyyy-MM-dd')
+SELECT i.order_id, i.line_no, upper(i.sku), i.qty, i.unit_price - coalesce(i.discount, 0), coalesce(i.discount, 0), date_format(o.created_at, 'yyyy-MM-dd')

# dwd_refunds update 2026-02-03T09:40:00Z +4s nora
> a comment, nothing else
@@
   abs(amount),
+  -- the till writes negative amounts, the web shop positive ones
   upper(currency),

# ods_schema update 2026-02-04T08:00:00Z +3s tomas
> campaigns come from the shop's own database
@@
 CREATE TABLE IF NOT EXISTS ods.fx_rates (currency STRING, day DATE, rate DECIMAL(18,6)) STORED AS ORC;
+CREATE TABLE IF NOT EXISTS ods.campaigns (
+  id INT, name STRING, medium STRING, utm STRING, budget DECIMAL(18,2), starts_on DATE, ends_on DATE
+) STORED AS ORC;

# sync_campaigns online 2026-02-04T08:05:00Z +5s tomas
edges postgres://shop:5432:shop.public.campaigns -> hive:ods.campaigns
  id name medium utm budget starts_on ends_on

# dwd_campaigns online 2026-02-04T08:20:00Z +4s lucia spark/dwd
CREATE OR REPLACE TABLE dwd.campaigns USING delta AS
SELECT id AS campaign_id, name AS campaign, lower(medium) AS medium, lower(utm) AS utm, budget, starts_on,
       coalesce(ends_on, DATE '9999-12-31') AS ends_on
FROM ods.campaigns;

# dws_campaign_visits online 2026-02-05T04:00:00Z +6s lucia hive/dws
> a visit belongs to the campaign named in its landing page
CREATE TABLE IF NOT EXISTS dws.campaign_visits (campaign_id INT, campaign STRING, medium STRING, visits BIGINT, visitors BIGINT)
PARTITIONED BY (dt STRING);

INSERT OVERWRITE TABLE dws.campaign_visits PARTITION (dt = '${dt}')
SELECT k.campaign_id, max(k.campaign), max(k.medium), count(s.session_id), count(DISTINCT s.visitor_id)
FROM dwd.sessions s
JOIN dwd.campaigns k ON k.utm = parse_url(s.landing_page, 'QUERY', 'utm_campaign')
WHERE s.dt = '${dt}' AND to_date(s.started_at) BETWEEN k.starts_on AND k.ends_on
GROUP BY k.campaign_id;

# dws_customer_lifetime update 2026-02-09T16:20:00+01:00 +5s ivan
> how often somebody sends things back matters as much as how much
@@
-  SELECT o.customer_id, sum(r.amount) AS refunded
+  SELECT o.customer_id, sum(r.amount) AS refunded, count(*) AS refunds
@@
   paid.orders,
+  coalesce(returned.refunds, 0) AS refunds,
   paid.paid - coalesce(returned.refunded, 0) AS value

# dws_revenue_daily update 2026-02-10T04:00:00Z +8s mei
> other currencies were added up as if they were euros
@@
-  sum(p.amount) AS revenue,
+  sum(p.amount * coalesce(fx.rate, 1)) AS revenue,
@@
 JOIN dwd.orders o ON o.order_id = p.order_id
+LEFT JOIN dwd.fx fx ON fx.currency = p.currency AND fx.day = to_date(p.paid_at)
 WHERE p.dt = '${dt}'

; The formatter: five tasks in one commit of the platform, not one edge of them changes.

# dws_sales_daily update 2026-02-11T12:00:00Z 2026-02-11T12:00:03Z fmt-bot
> house style
@@
-SELECT store_id, channel, count(*), count(DISTINCT customer_id), sum(amt)
-FROM dwd.orders
-WHERE dt = '${dt}' AND status <> 'cancelled'
-GROUP BY store_id, channel;
+SELECT
+  store_id,
+  channel,
+  count(*),
+  count(DISTINCT customer_id),
+  sum(amt)
+FROM dwd.orders
+WHERE
+  dt = '${dt}'
+  AND status <> 'cancelled'
+GROUP BY
+  store_id,
+  channel;

# dws_payment_mix update 2026-02-11T12:00:00Z 2026-02-11T12:00:03Z fmt-bot
> house style
@@
-FROM dwd.payments
-GROUP BY dt;
+FROM
+  dwd.payments
+GROUP BY
+  dt;

# dwd_coupons update 2026-02-11T12:00:00Z 2026-02-11T12:00:03Z fmt-bot
> house style
@@
-WHERE o.dt = '${dt}' AND o.coupon_codes IS NOT NULL;
+WHERE
+  o.dt = '${dt}'
+  AND o.coupon_codes IS NOT NULL;

# ads_stock_alerts update 2026-02-11T12:00:00Z 2026-02-11T12:00:03Z fmt-bot
> house style
@@
-WHERE k.dt = '${dt}' AND k.days_left < 7;
+WHERE
+  k.dt = '${dt}'
+  AND k.days_left < 7;

# dws_delivery_times update 2026-02-11T12:00:00Z 2026-02-11T12:00:03Z fmt-bot
> house style
@@
-GROUP BY h.carrier, s.country;
+GROUP BY
+  h.carrier,
+  s.country;

# dwd_payments update 2026-02-12T02:05:00Z +9s nora
> cancelled payments come with amount 0
@@
-  AND NOT is_test;
+  AND NOT is_test
+  AND amount > 0;

; The broker delivers the same message a second time: it counts once.
# again dwd_payments-2 2026-02-12T02:05:41Z

; A correction: the wrong file was deployed at midnight. What held from midnight on is said again two days later.

# dwd_shipments update 2026-02-16T00:00:00Z +7s nora
> returns travel with the carriers too
@@
 ) PARTITIONED BY (dt STRING) STORED AS ORC;
+ALTER TABLE dwd.shipments ADD COLUMNS (is_return BOOLEAN);
@@
-SELECT id, order_id, carrier, shipped_at, delivered_at, cost
-FROM ods.shipments
-WHERE dt = '${dt}';
+SELECT id, order_id, carrier, shipped_at, shipped_at, cost, cost < 0
+FROM ods.shipments
+WHERE dt = '${dt}';

; The platform numbers this task's versions. Version 3 is heard of before version 2; version 3 stays in force.

# dws_store_ranking update 2026-02-17T06:00:00Z 2026-02-17T06:00:09Z deploy-bot v3
> the web shop is no store, and places by city too
@@
   rank() OVER (PARTITION BY d.dt, s.country ORDER BY d.ordered_value DESC) AS place
+  , rank() OVER (PARTITION BY d.dt, s.city ORDER BY d.ordered_value DESC) AS place_in_city
@@
-JOIN dwd.stores s ON s.store_id = d.store_id;
+JOIN dwd.stores s ON s.store_id = d.store_id
+WHERE d.channel = 'store';

# dws_store_ranking update 2026-02-17T06:00:00Z 2026-02-17T06:03:30Z deploy-bot v2
> arrived late: the step between version 1 and version 3, in force for no moment
CREATE OR REPLACE TABLE dws.store_ranking USING delta AS
SELECT
  d.dt,
  s.store,
  s.country,
  d.ordered_value / d.orders AS ordered_value,
  rank() OVER (PARTITION BY d.dt, s.country ORDER BY d.ordered_value / d.orders DESC) AS place
FROM dws.sales_daily d
JOIN dwd.stores s ON s.store_id = d.store_id;

# dwd_shipments update 2026-02-16T00:00:00Z 2026-02-18T10:31:00Z nora
> correction of the file deployed on the 16th: delivered_at was read from shipped_at
@@
-SELECT id, order_id, carrier, shipped_at, shipped_at, cost, cost < 0
+SELECT id, order_id, carrier, shipped_at, delivered_at, cost, cost < 0

# dwd_products update 2026-02-19T09:00:00Z +5s ivan
> sizes, for the returns that do not fit
@@
 ) STORED AS ORC;
+ALTER TABLE dwd.products ADD COLUMNS (size STRING);
@@
-  cast(p.attributes['weight_g'] AS INT)
+  cast(p.attributes['weight_g'] AS INT),
+  coalesce(p.attributes['size'], p.attributes['eu_size'])

# ads_marketing_roi online 2026-02-20T05:30:00Z +6s lucia spark/ads
> what a campaign costs and what its visits become
CREATE OR REPLACE TABLE ads.marketing_roi USING delta AS
SELECT
  k.campaign,
  k.medium,
  k.budget,
  v.visits,
  k.budget / nullif(v.visits, 0) AS cost_per_visit
FROM dwd.campaigns k
LEFT JOIN (
  SELECT campaign_id, sum(visits) AS visits FROM dws.campaign_visits GROUP BY campaign_id
) v ON v.campaign_id = k.campaign_id;

# dws_cohorts update 2026-02-23T11:00:00+01:00 +4s lucia
> revenue per head of the cohort
@@
-  sum(o.amt) AS ordered_value
+  sum(o.amt) AS ordered_value,
+  sum(o.amt) / count(DISTINCT o.customer_id) AS value_per_customer

# dws_basket_pairs update 2026-02-24T08:00:00Z +5s lucia
> a higher threshold; another literal, the same edges
@@
-HAVING count(*) > 5;
+HAVING count(*) > 20;

# ads_store_board update 2026-02-25T05:05:00Z +4s mei
> the board also shows the place within the city
@@
 CREATE TABLE IF NOT EXISTS ads.store_board (day STRING, country STRING, store STRING, ordered_value DECIMAL(18,2), place INT);
+ALTER TABLE ads.store_board ADD COLUMNS (place_in_city INT);
@@
-SELECT dt, country, store, ordered_value, place
+SELECT dt, country, store, ordered_value, place, place_in_city

# board_58 update 2026-02-25T09:00:00Z +40s mei
edges hive:ads.store_board -> bi:board/58
  day country store ordered_value place place_in_city

# dwd_stores update 2026-02-26T03:05:00Z +3s ivan
> pop-up stores have no city in the ERP
CREATE OR REPLACE VIEW dwd.stores AS
SELECT id AS store_id, name AS store, country, coalesce(city, 'pop-up') AS city, opened_on FROM ods.stores
UNION ALL
SELECT 0 AS store_id, 'web shop' AS store, 'EU' AS country, NULL AS city, NULL AS opened_on;

# sync_shipments update 2026-02-27T07:00:00Z +12s tomas
> the carriers' topic has prices in the shop's own unit now
edges kafka:prod/shipments -> hive:ods.shipments
  id order_id carrier shipped_at delivered_at
  price -> cost
