-- database: acme
-- columns: acme.web.visits(vid, uid, source, medium, started)
-- columns: acme.shop.orders(id, uid, placed, total)
-- columns: acme.shop.refunds(order_id, amount)
-- edge: acme.web.visits#source -> acme.mart.attribution#source TRANSFORMATION
-- edge: acme.web.visits#medium -> acme.mart.attribution#medium TRANSFORMATION
-- edge: acme.shop.orders#id -> acme.mart.attribution#orders AGGREGATION
-- edge: acme.shop.orders#total -> acme.mart.attribution#net AGGREGATION
-- edge: acme.shop.refunds#amount -> acme.mart.attribution#net AGGREGATION
-- edge: acme.shop.orders#placed -> acme.mart.attribution#first_order AGGREGATION
-- edge: acme.shop.orders#total -> acme.mart.attribution FILTER
-- edge: acme.web.visits#started -> acme.mart.attribution FILTER
-- edge: acme.shop.orders#placed -> acme.mart.attribution FILTER
-- edge: acme.shop.orders#id -> acme.mart.attribution FILTER
-- edge: acme.shop.orders#id -> acme.mart.attribution JOIN
-- edge: acme.shop.refunds#order_id -> acme.mart.attribution JOIN
-- edge: acme.web.visits#uid -> acme.mart.attribution JOIN
-- edge: acme.shop.orders#uid -> acme.mart.attribution JOIN
-- edge: acme.web.visits#started -> acme.mart.attribution JOIN
-- edge: acme.shop.orders#placed -> acme.mart.attribution JOIN
-- edge: acme.shop.refunds#order_id -> acme.mart.attribution GROUP_BY
-- edge: acme.web.visits#source -> acme.mart.attribution GROUP_BY
-- edge: acme.web.visits#medium -> acme.mart.attribution GROUP_BY
-- completeness: complete
-- note: the last touch before an order is the row with number one per order, latest visit first

CREATE OR REPLACE TABLE mart.attribution AS
WITH refunds AS (
  SELECT order_id, SUM(amount) AS refunded
  FROM shop.refunds
  GROUP BY order_id
),
net_orders AS (
  SELECT o.id, o.uid, o.placed, o.total - IFNULL(r.refunded, 0) AS net
  FROM shop.orders AS o
  LEFT JOIN refunds AS r ON r.order_id = o.id
  WHERE o.total > 0
),
touches AS (
  SELECT n.id, n.net, n.placed, v.source, v.medium,
         ROW_NUMBER() OVER (PARTITION BY n.id ORDER BY v.started DESC) AS rn
  FROM net_orders AS n
  LEFT JOIN web.visits AS v
    ON v.uid = n.uid AND v.started <= n.placed
  WHERE v.started IS NULL OR v.started > TIMESTAMP_SUB(n.placed, INTERVAL 30 DAY)
)
SELECT COALESCE(source, '(direct)') AS source,
       COALESCE(medium, '(none)') AS medium,
       COUNT(DISTINCT id) AS orders,
       SUM(net) AS net,
       MIN(placed) AS first_order
FROM touches
WHERE rn = 1
GROUP BY 1, 2;
