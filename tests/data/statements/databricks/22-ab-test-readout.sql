-- columns: main.exp.assign(user_id, exp, variant, at)
-- columns: main.silver.orders(user_id, order_id, total, at)
-- edge: main.exp.assign#exp -> main.gold.ab#exp IDENTITY
-- edge: main.exp.assign#variant -> main.gold.ab#variant IDENTITY
-- edge: main.exp.assign#user_id -> main.gold.ab#users AGGREGATION
-- edge: main.silver.orders#user_id -> main.gold.ab#buyers AGGREGATION
-- edge: main.silver.orders#total -> main.gold.ab#revenue AGGREGATION
-- edge: main.silver.orders#total -> main.gold.ab#arpu AGGREGATION
-- edge: main.exp.assign#user_id -> main.gold.ab#arpu AGGREGATION
-- edge: main.exp.assign#exp -> main.gold.ab FILTER
-- edge: main.exp.assign#user_id -> main.gold.ab FILTER
-- edge: main.exp.assign#at -> main.gold.ab FILTER
-- edge: main.exp.assign#user_id -> main.gold.ab JOIN
-- edge: main.silver.orders#user_id -> main.gold.ab JOIN
-- edge: main.silver.orders#at -> main.gold.ab JOIN
-- edge: main.exp.assign#at -> main.gold.ab JOIN
-- edge: main.exp.assign#exp -> main.gold.ab GROUP_BY
-- edge: main.exp.assign#variant -> main.gold.ab GROUP_BY
-- completeness: complete

CREATE OR REPLACE TABLE main.gold.ab AS
WITH first_assign AS (
  SELECT user_id, exp, variant, at
  FROM main.exp.assign
  WHERE exp LIKE 'checkout%'
  QUALIFY row_number() OVER (PARTITION BY user_id, exp ORDER BY at) = 1
),
joined AS (
  SELECT f.exp, f.variant, f.user_id, o.user_id AS buyer, coalesce(o.total, 0) AS total
  FROM first_assign f
  LEFT JOIN main.silver.orders o
    ON o.user_id = f.user_id AND o.at BETWEEN f.at AND f.at + INTERVAL 14 DAYS
)
SELECT exp, variant,
       count(DISTINCT user_id) AS users,
       count(DISTINCT buyer) AS buyers,
       sum(total) AS revenue,
       sum(total) / count(DISTINCT user_id) AS arpu
FROM joined
GROUP BY exp, variant;
