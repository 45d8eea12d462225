; Personal data reaches a board on 1 June and is taken out on the 12th. Plans are made for July and August.

; The leak: a customer's own address appears where only a number was.
# ads_top_customers update 2026-06-01T10:00:00+02:00 +7s lucia
> the sales team wants to write to its best customers
@@
-  concat('customer ', c.customer_id, ', ', c.city) AS contact,
+  coalesce(c.email, c.phone, c.full_name) AS contact,

# dws_sales_category_daily update 2026-06-02T04:30:00Z +4s nora
> the share of the department
@@
 ) PARTITIONED BY (dt STRING);
+ALTER TABLE dws.sales_category_daily ADD COLUMNS (share DOUBLE);
@@
-SELECT t.division, t.department, t.category, sum(s.pieces), sum(s.value)
+SELECT t.division, t.department, t.category, sum(s.pieces), sum(s.value), sum(s.value) / sum(sum(s.value)) OVER ()

# dws_margin_daily update 2026-06-03T04:00:00Z +6s mei
> rebates of suppliers are not known by day, so they are left out; a comment says so
@@
-WITH freight AS (
+-- supplier rebates: see ads.finance_month
+WITH freight AS (

# board_59 online 2026-06-04T09:00:00+02:00 +50s mei
> a board for loyalty
edges hive:ads.loyalty_report -> bi:board/59
  country members points active

; The plan for 15 June is put off. First it is withdrawn …
# dws_revenue_daily retract - 2026-06-08T11:30:00+02:00 mei
> put off: the VAT table is not ready
retracts dws_revenue_daily-5

; Three deployments within one second: each is a version of its own.
# dwd_sessions update 2026-06-09T10:15:22.100Z 2026-06-09T10:15:22.340Z deploy-bot v3
> pipeline stuck in a loop, first round
@@
-  min_by(url, ts) AS landing_page
+  min_by(parse_url(url, 'PATH'), ts) AS landing_page

# dwd_sessions update 2026-06-09T10:15:22.450Z 2026-06-09T10:15:22.690Z deploy-bot v4
> second round: back
@@
-  min_by(parse_url(url, 'PATH'), ts) AS landing_page
+  min_by(url, ts) AS landing_page

# dwd_sessions update 2026-06-09T10:15:22.800Z 2026-06-09T10:15:22.990Z deploy-bot v5
> third round, the text that was meant
@@
-  min_by(url, ts) AS landing_page
+  min_by(url, ts) AS landing_page,
+  max_by(url, ts) AS exit_page
@@
-INSERT OVERWRITE TABLE dwd.sessions PARTITION (dt = '${dt}')
+ALTER TABLE dwd.sessions ADD COLUMNS (exit_page STRING);
+
+INSERT OVERWRITE TABLE dwd.sessions PARTITION (dt = '${dt}')

; … and then planned again, for August.
# dws_revenue_daily update 2026-08-01T00:00:00+02:00 2026-06-10T16:00:00+02:00 mei
> planned: revenue without VAT, from August on
base: dws_revenue_daily-3
@@
-  sum(p.amount * coalesce(fx.rate, 1)) AS revenue,
+  sum(p.amount * coalesce(fx.rate, 1) / (1 + v.rate)) AS revenue,
@@
 LEFT JOIN dwd.refunds r ON r.order_id = p.order_id AND r.dt = p.dt
+LEFT JOIN dwd.stores s ON s.store_id = o.store_id
+LEFT JOIN dwd.vat_rates v ON v.country = s.country
 WHERE p.dt = '${dt}'

; Eleven days after it began, the leak ends.
# ads_top_customers update 2026-06-12T10:00:00+02:00 +5s saskia
> no personal data on boards: the first text again
as ads_top_customers-1

# dwd_vat_rates online 2026-06-15T09:00:00+02:00 +4s mei spark/dwd
> for the change of August
CREATE OR REPLACE TABLE dwd.vat_rates USING delta AS
SELECT * FROM VALUES ('DE', 0.19), ('NO', 0.25), ('GR', 0.24), ('EU', 0.20) AS t(country, rate);

# ads_churn_features update 2026-06-16T05:20:00Z +6s lucia
> the phone number was never a feature, but the balance is
target: hive:ads.churn_features
SELECT
  l.* EXCEPT (first_order_at),
  s.segment,
  b.balance AS points,
  datediff(current_date(), l.last_paid_at) AS days_silent,
  count(v.session_id) AS sessions
FROM dws.customer_lifetime l
JOIN dws.customer_segments s ON s.customer_id = l.customer_id
LEFT JOIN dws.loyalty_balance b ON b.customer_id = l.customer_id
LEFT JOIN dwd.sessions v ON v.customer_id = l.customer_id AND v.dt > date_sub(current_date(), 90)
GROUP BY ALL

; Planned for 15 July: phone numbers leave the warehouse's clean layer.
# dwd_customers update 2026-07-15T00:00:00+02:00 2026-06-18T14:00:00+02:00 saskia
> planned: phone numbers are no longer kept outside ods
MERGE INTO dwd.customers AS t
USING (
  SELECT id, lower(trim(email)) AS email, concat_ws(' ', first_name, last_name) AS full_name, country, city,
         year(birth_date) AS birth_year, marketing_opt_in, to_date(created_at) AS since, updated_at
  FROM ods.customers
) AS s
ON t.customer_id = s.id
WHEN MATCHED AND s.updated_at > t.updated_at THEN UPDATE SET
  t.email = s.email, t.phone = NULL, t.full_name = s.full_name, t.country = s.country, t.city = s.city,
  t.birth_year = s.birth_year, t.marketing_opt_in = s.marketing_opt_in, t.updated_at = s.updated_at
WHEN NOT MATCHED THEN INSERT
  (customer_id, email, full_name, country, city, birth_year, marketing_opt_in, since, updated_at)
  VALUES (s.id, s.email, s.full_name, s.country, s.city, s.birth_year, s.marketing_opt_in, s.since, s.updated_at);

; Planned for the end of July: a board closes.
# board_58 offline 2026-07-31T22:00:00+02:00 2026-06-22T09:00:00+02:00 mei
> planned: the store board closes, its figures move into the executive summary

# ads_executive_summary update 2026-07-31T22:00:00+02:00 2026-06-22T09:02:00+02:00 mei
> planned: takes over the store board
@@
-SELECT 'refunded', day, sum(refunded) FROM ads.returns_report GROUP BY day;
+SELECT 'refunded', day, sum(refunded) FROM ads.returns_report GROUP BY day
+UNION ALL
+SELECT concat('best store of ', country), day, max(ordered_value) FROM ads.store_board WHERE place = 1 GROUP BY country, day;

# dwd_fx update 2026-06-24T12:00:00Z 2026-06-24T12:00:02Z fmt-bot
> house style
@@
-WITH days AS (SELECT DISTINCT day FROM ods.fx_rates)
+WITH days AS (
+  SELECT DISTINCT day
+  FROM ods.fx_rates
+)

# dwd_campaigns update 2026-06-24T12:00:00Z 2026-06-24T12:00:02Z fmt-bot
> house style
@@
-SELECT id AS campaign_id, name AS campaign, lower(medium) AS medium, lower(utm) AS utm, budget, starts_on,
-       coalesce(ends_on, DATE '9999-12-31') AS ends_on
+SELECT
+  id AS campaign_id,
+  name AS campaign,
+  lower(medium) AS medium,
+  lower(utm) AS utm,
+  budget,
+  starts_on,
+  coalesce(ends_on, DATE '9999-12-31') AS ends_on

# dws_delivery_times update 2026-06-25T04:30:00Z +5s nora
> returns are no deliveries
@@
-WHERE h.dt = '${dt}'
+WHERE h.dt = '${dt}' AND NOT h.is_return

; A second late message: three weeks late, and nothing newer is known of this task.
# dws_stock_cover update 2026-06-03T08:00:00+02:00 2026-06-26T13:30:00+02:00 ivan
> entered late: since the 3rd, what is on its way back to the supplier is not counted
@@
-FROM dwd.inventory_daily v
-LEFT JOIN sold ON sold.sku = v.sku AND sold.store_id = v.store_id
-WHERE v.dt = '${dt}';
+FROM dwd.inventory_daily v
+LEFT JOIN sold ON sold.sku = v.sku AND sold.store_id = v.store_id
+LEFT ANTI JOIN staging.supplier_returns b ON b.sku = v.sku AND b.store_id = v.store_id
+WHERE v.dt = '${dt}';

# export_newsletter update 2026-06-29T06:00:00+02:00 +20s saskia
> the mailing house gets a hash, and looks the address up itself
edges hive:ads.newsletter_audience -> sftp:mailer/audience.csv
  email -> address_hash | TRANSFORMATION | sha2(email, 256)
  segment -> list | TRANSFORMATION | concat('list-', segment)

# ads_loyalty_report update 2026-06-30T05:00:00Z +4s mei
> by month
@@
-SELECT country, count(*) AS members, sum(balance) AS points, approx_count_distinct(CASE WHEN balance > 0 THEN customer_id END) AS active
+SELECT country, date_format(last_booking, 'yyyy-MM') AS month, count(*) AS members, sum(balance) AS points,
+       approx_count_distinct(CASE WHEN balance > 0 THEN customer_id END) AS active
@@
-GROUP BY country WITH ROLLUP;
+GROUP BY country, date_format(last_booking, 'yyyy-MM') WITH ROLLUP;
