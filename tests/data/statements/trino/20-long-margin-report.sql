-- columns: hive.raw.orders(id, cust, placed, state)
-- columns: hive.raw.lines(order_id, sku, qty, unit)
-- columns: hive.raw.product(sku, family, cost)
-- columns: hive.raw.cust(id, country)
-- edge: hive.raw.cust#country -> hive.mart.margin#country IDENTITY
-- edge: hive.raw.product#family -> hive.mart.margin#family TRANSFORMATION
-- edge: hive.raw.orders#placed -> hive.mart.margin#month TRANSFORMATION
-- edge: hive.raw.lines#qty -> hive.mart.margin#revenue AGGREGATION
-- edge: hive.raw.lines#unit -> hive.mart.margin#revenue AGGREGATION
-- edge: hive.raw.lines#qty -> hive.mart.margin#cost AGGREGATION
-- edge: hive.raw.product#cost -> hive.mart.margin#cost AGGREGATION
-- edge: hive.raw.lines#qty -> hive.mart.margin#margin_pct AGGREGATION
-- edge: hive.raw.lines#unit -> hive.mart.margin#margin_pct AGGREGATION
-- edge: hive.raw.product#cost -> hive.mart.margin#margin_pct AGGREGATION
-- edge: hive.raw.orders#id -> hive.mart.margin#orders AGGREGATION
-- edge: hive.raw.orders#state -> hive.mart.margin FILTER
-- edge: hive.raw.orders#placed -> hive.mart.margin FILTER
-- edge: hive.raw.lines#qty -> hive.mart.margin FILTER
-- edge: hive.raw.lines#unit -> hive.mart.margin FILTER
-- edge: hive.raw.orders#id -> hive.mart.margin JOIN
-- edge: hive.raw.lines#order_id -> hive.mart.margin JOIN
-- edge: hive.raw.lines#sku -> hive.mart.margin JOIN
-- edge: hive.raw.product#sku -> hive.mart.margin JOIN
-- edge: hive.raw.orders#cust -> hive.mart.margin JOIN
-- edge: hive.raw.cust#id -> hive.mart.margin JOIN
-- edge: hive.raw.cust#country -> hive.mart.margin GROUP_BY
-- edge: hive.raw.product#family -> hive.mart.margin GROUP_BY
-- edge: hive.raw.orders#placed -> hive.mart.margin GROUP_BY
-- completeness: complete

CREATE TABLE hive.mart.margin
WITH (format = 'ORC')
AS
WITH paid AS (
  SELECT id, cust, date_trunc('month', placed) AS month
  FROM hive.raw.orders
  WHERE state IN ('PAID', 'SHIPPED') AND placed >= TIMESTAMP '2024-01-01 00:00:00'
),
priced AS (
  SELECT p.id AS order_id, p.cust, p.month,
         coalesce(pr.family, 'other') AS family,
         l.qty * l.unit AS revenue,
         l.qty * pr.cost AS cost
  FROM paid p
  JOIN hive.raw.lines l ON l.order_id = p.id
  LEFT JOIN hive.raw.product pr ON pr.sku = l.sku
)
SELECT c.country,
       x.family,
       x.month,
       sum(x.revenue) AS revenue,
       sum(x.cost) AS cost,
       (sum(x.revenue) - sum(x.cost)) / sum(x.revenue) AS margin_pct,
       count(DISTINCT x.order_id) AS orders
FROM priced x
JOIN hive.raw.cust c ON c.id = x.cust
GROUP BY c.country, x.family, x.month
HAVING sum(x.revenue) > 0;
