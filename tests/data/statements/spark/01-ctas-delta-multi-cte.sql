-- columns: raw.orders(order_id, cust_id, ts, total, currency)
-- columns: ref.fx(currency, day, rate)
-- columns: raw.customers(id, country, created)
-- edge: raw.customers#country -> gold.country_revenue#country IDENTITY
-- edge: raw.orders#ts -> gold.country_revenue#day TRANSFORMATION
-- edge: raw.orders#total -> gold.country_revenue#revenue_usd AGGREGATION
-- edge: ref.fx#rate -> gold.country_revenue#revenue_usd AGGREGATION
-- edge: raw.orders#cust_id -> gold.country_revenue#buyers AGGREGATION
-- edge: raw.orders#currency -> gold.country_revenue JOIN
-- edge: ref.fx#currency -> gold.country_revenue JOIN
-- edge: raw.orders#ts -> gold.country_revenue JOIN
-- edge: ref.fx#day -> gold.country_revenue JOIN
-- edge: raw.orders#cust_id -> gold.country_revenue JOIN
-- edge: raw.customers#id -> gold.country_revenue JOIN
-- edge: raw.orders#total -> gold.country_revenue FILTER
-- edge: raw.customers#country -> gold.country_revenue GROUP_BY
-- edge: raw.orders#ts -> gold.country_revenue GROUP_BY
-- completeness: complete

CREATE TABLE gold.country_revenue
USING delta
PARTITIONED BY (day)
AS
WITH converted AS (
  SELECT o.order_id, o.cust_id, to_date(o.ts) AS day, o.total * f.rate AS usd
  FROM raw.orders o
  INNER JOIN ref.fx f ON f.currency = o.currency AND f.day = to_date(o.ts)
  WHERE o.total > 0
),
located AS (
  SELECT v.day, v.usd, v.cust_id, c.country
  FROM converted v
  LEFT JOIN raw.customers c ON c.id = v.cust_id
)
SELECT country, day, sum(usd) AS revenue_usd, count(DISTINCT cust_id) AS buyers
FROM located
GROUP BY country, day;
