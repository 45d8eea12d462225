-- database: acme
-- edge: acme.shop.orders#created_at -> acme.mart.daily#day TRANSFORMATION
-- edge: acme.shop.orders#amount -> acme.mart.daily#gross AGGREGATION
-- edge: acme.shop.orders#amount -> acme.mart.daily#paid AGGREGATION
-- edge: acme.shop.orders#status -> acme.mart.daily#paid CONDITIONAL
-- edge: acme.shop.orders#user_id -> acme.mart.daily#buyers AGGREGATION
-- edge: acme.shop.orders#created_at -> acme.mart.daily FILTER
-- edge: acme.shop.orders#created_at -> acme.mart.daily GROUP_BY
-- completeness: any

CREATE OR REPLACE TABLE `acme.mart.daily`
PARTITION BY day
CLUSTER BY day
OPTIONS (description = 'daily revenue')
AS
SELECT DATE(created_at) AS day,
       SUM(amount) AS gross,
       SUM(IF(status = 'paid', amount, 0)) AS paid,
       COUNT(DISTINCT user_id) AS buyers
FROM `acme.shop.orders`
WHERE created_at >= TIMESTAMP '2024-01-01'
GROUP BY day;
