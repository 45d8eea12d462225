; dwd.orders renames a column on 4 May, and its readers follow one by one until 13 May.

# dwd_orders update 2026-05-04T02:00:00+02:00 +8s nora
> amt becomes amount, as everywhere else
@@
-INSERT OVERWRITE TABLE dwd.orders PARTITION (dt = '${dt}')
+ALTER TABLE dwd.orders CHANGE COLUMN amt amount DECIMAL(18,2);
+
+INSERT OVERWRITE TABLE dwd.orders PARTITION (dt = '${dt}')

# dwd_order_events update 2026-05-05T09:20:00+02:00 +5s nora
> follows the rename
@@
-SELECT order_id, 'created', created_at, amt FROM dwd.orders WHERE dt = '${dt}'
+SELECT order_id, 'created', created_at, amount FROM dwd.orders WHERE dt = '${dt}'

# dwd_coupons update 2026-05-05T09:40:00+02:00 +5s lucia
> follows the rename; keeps its own column's name
@@
-SELECT o.order_id, upper(trim(used.code)), o.amt
+SELECT o.order_id, upper(trim(used.code)), o.amount

# dws_sales_daily update 2026-05-06T11:00:00+02:00 +4s nora
> follows the rename
@@
-  sum(amt)
+  sum(amount)

# dws_order_wide update 2026-05-08T08:00:00+02:00 +6s nora
> not a letter changed: deployed again, so that its star sees the new column
as dws_order_wide-1

# dws_cohorts update 2026-05-11T10:30:00+02:00 +4s lucia
> follows the rename
@@
-  sum(o.amt) AS ordered_value,
-  sum(o.amt) / count(DISTINCT o.customer_id) AS value_per_customer
+  sum(o.amount) AS ordered_value,
+  sum(o.amount) / count(DISTINCT o.customer_id) AS value_per_customer

# dws_store_ranking update 2026-05-12T06:00:00Z +7s deploy-bot v4
> last year's value beside this year's
base: dws_store_ranking-2
@@
   , rank() OVER (PARTITION BY d.dt, s.city ORDER BY d.ordered_value DESC) AS place_in_city
+  , lag(d.ordered_value, 364) OVER (PARTITION BY s.store ORDER BY d.dt) AS last_year

# dwd_coupons update 2026-05-13T09:00:00+02:00 +5s lucia
> its own column follows too
@@
-INSERT OVERWRITE TABLE dwd.coupons PARTITION (dt = '${dt}')
+ALTER TABLE dwd.coupons CHANGE COLUMN amt amount DECIMAL(18,2);
+
+INSERT OVERWRITE TABLE dwd.coupons PARTITION (dt = '${dt}')

# dws_coupon_effect update 2026-05-13T09:05:00+02:00 +4s lucia
> follows dwd.coupons
@@
-  sum(coalesce(c.amt, 0)),
+  sum(coalesce(c.amount, 0)),

# dwd_sessions update 2026-05-14T02:30:00Z +6s deploy-bot v2
> robots are not visitors
@@
-  WHERE dt = '${dt}'
-), marked AS (
+  WHERE dt = '${dt}' AND get_json_object(payload, '$.robot') IS NULL
+), marked AS (

# dws_search_topics update 2026-05-18T04:00:00Z +5s lucia
> without the script: a table of topics, kept by hand
CREATE TABLE IF NOT EXISTS dws.search_topics (topic STRING, searches BIGINT) PARTITIONED BY (dt STRING);

INSERT OVERWRITE TABLE dws.search_topics PARTITION (dt = '${dt}')
SELECT coalesce(w.topic, 'other'), count(*)
FROM dwd.searches q
LEFT JOIN (SELECT stack(3, 'tent', 'camping', 'stove', 'camping', 'boot', 'shoes') AS (word, topic)) w
  ON instr(q.term, w.word) > 0
WHERE q.dt = '${dt}'
GROUP BY coalesce(w.topic, 'other');

; It comes back, with another text.
# ads_stock_alerts online 2026-05-20T07:00:00+02:00 +9s ivan
> back, for the ten best sellers of each store only
CREATE TABLE IF NOT EXISTS ads.stock_alerts (sku STRING, store STRING, days_left DOUBLE) PARTITIONED BY (dt STRING);

INSERT OVERWRITE TABLE ads.stock_alerts PARTITION (dt = '${dt}')
SELECT sku, store, days_left
FROM (
  SELECT k.sku, s.store, k.days_left, dense_rank() OVER (PARTITION BY k.store_id ORDER BY k.sold_per_day DESC) AS seller
  FROM dws.stock_cover k
  JOIN dwd.stores s ON s.store_id = k.store_id
  WHERE k.dt = '${dt}'
) best
WHERE seller <= 10 AND days_left < 3;

# dws_payment_mix update 2026-05-21T04:10:00Z +5s nora
> the same columns through PIVOT
CREATE OR REPLACE TABLE dws.payment_mix USING delta AS
SELECT dt, card, invoice, wallet, coalesce(card, 0) + coalesce(invoice, 0) + coalesce(wallet, 0) AS total
FROM (SELECT dt, method, amount FROM dwd.payments)
PIVOT (sum(amount) FOR method IN ('card' AS card, 'invoice' AS invoice, 'wallet' AS wallet));

# ads_newsletter_audience update 2026-05-22T05:20:00Z +4s lucia
> only who has opened the shop this year
@@
-WHERE c.marketing_opt_in AND c.email IS NOT NULL;
+WHERE c.marketing_opt_in AND c.email IS NOT NULL
+  AND EXISTS (SELECT 1 FROM dwd.sessions v WHERE v.customer_id = c.customer_id AND v.dt >= '2026-01-01');

# dwd_refunds update 2026-05-26T02:05:00Z +4s nora
> two more reasons; other literals, the same edges
@@
-  CASE reason_code WHEN 'DMG' THEN 'damaged' WHEN 'LATE' THEN 'late' WHEN 'SIZE' THEN 'does not fit' ELSE 'other' END,
+  CASE reason_code
+    WHEN 'DMG' THEN 'damaged' WHEN 'LATE' THEN 'late' WHEN 'SIZE' THEN 'does not fit'
+    WHEN 'COL' THEN 'other colour' WHEN 'DUP' THEN 'ordered twice' ELSE 'other'
+  END,

; Planned: revenue is to be shown without VAT, from 15 June. It will not come to that.
# dws_revenue_daily update 2026-06-15T00:00:00+02:00 2026-05-28T15:00:00+02:00 mei
> planned: revenue without VAT
base: dws_revenue_daily-3
@@
-  sum(p.amount * coalesce(fx.rate, 1)) AS revenue,
+  sum(p.amount * coalesce(fx.rate, 1) / (1 + v.rate)) AS revenue,
@@
 LEFT JOIN dwd.refunds r ON r.order_id = p.order_id AND r.dt = p.dt
+LEFT JOIN dwd.vat_rates v ON v.country = o.channel
 WHERE p.dt = '${dt}'
