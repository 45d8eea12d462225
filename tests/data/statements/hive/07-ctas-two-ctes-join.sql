-- columns: ods.orders(order_id, customer_id, amount, order_date)
-- columns: ods.customers(customer_id, region, tier)
-- edge: ods.customers#region -> tmp.region_rollup#region IDENTITY
-- edge: ods.orders#amount -> tmp.region_rollup#total AGGREGATION
-- edge: ods.orders#amount -> tmp.region_rollup#vip_total AGGREGATION
-- edge: ods.customers#tier -> tmp.region_rollup#vip_total CONDITIONAL
-- edge: ods.orders#order_date -> tmp.region_rollup FILTER
-- edge: ods.orders#customer_id -> tmp.region_rollup JOIN
-- edge: ods.customers#customer_id -> tmp.region_rollup JOIN
-- edge: ods.customers#region -> tmp.region_rollup GROUP_BY
-- completeness: complete

CREATE TABLE tmp.region_rollup STORED AS ORC AS
WITH recent AS (
    SELECT customer_id, amount FROM ods.orders WHERE order_date >= date_sub(current_date, 30)
),
tagged AS (
    SELECT r.customer_id, r.amount, c.region, c.tier
    FROM recent r
    JOIN ods.customers c ON r.customer_id = c.customer_id
)
SELECT region,
       sum(amount) AS total,
       sum(CASE WHEN tier = 'VIP' THEN amount ELSE 0 END) AS vip_total
FROM tagged
GROUP BY region;
