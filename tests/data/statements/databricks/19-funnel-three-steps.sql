-- edge: main.silver.ev#uid -> main.gold.funnel#uid IDENTITY
-- edge: main.silver.ev#ts -> main.gold.funnel#viewed_at AGGREGATION
-- edge: main.silver.ev#ts -> main.gold.funnel#carted_at AGGREGATION
-- edge: main.silver.ev#ts -> main.gold.funnel#bought_at AGGREGATION
-- edge: main.silver.ev#ts -> main.gold.funnel#secs_to_buy AGGREGATION
-- edge: main.silver.ev#name -> main.gold.funnel FILTER
-- edge: main.silver.ev#ts -> main.gold.funnel FILTER
-- edge: main.silver.ev#uid -> main.gold.funnel JOIN
-- edge: main.silver.ev#ts -> main.gold.funnel JOIN
-- edge: main.silver.ev#uid -> main.gold.funnel GROUP_BY
-- completeness: any
-- note: the joins compare the steps' times, which are minima of ts

CREATE OR REPLACE TABLE main.gold.funnel AS
WITH v AS (
  SELECT uid, min(ts) AS viewed_at FROM main.silver.ev WHERE name = 'view' GROUP BY uid
), c AS (
  SELECT uid, min(ts) AS carted_at FROM main.silver.ev WHERE name = 'cart' GROUP BY uid
), b AS (
  SELECT uid, min(ts) AS bought_at FROM main.silver.ev WHERE name = 'buy' GROUP BY uid
)
SELECT v.uid, v.viewed_at, c.carted_at, b.bought_at,
       unix_timestamp(b.bought_at) - unix_timestamp(v.viewed_at) AS secs_to_buy
FROM v
LEFT JOIN c ON c.uid = v.uid AND c.carted_at >= v.viewed_at
LEFT JOIN b ON b.uid = v.uid AND b.bought_at >= c.carted_at
WHERE v.viewed_at >= '2024-01-01';
