-- edge: ods.orders#order_id -> dws.orders_wide#order_id IDENTITY
-- edge: ods.orders#amount -> dws.orders_wide#amount IDENTITY
-- edge: ods.customers#name -> dws.orders_wide#customer_name IDENTITY
-- edge: ods.customers#segment -> dws.orders_wide#segment TRANSFORMATION
-- edge: ods.orders#customer_id -> dws.orders_wide JOIN
-- edge: ods.customers#id -> dws.orders_wide JOIN
-- edge: ods.orders#dt -> dws.orders_wide FILTER
-- completeness: any

INSERT OVERWRITE TABLE dws.orders_wide
SELECT o.order_id, o.amount, c.name AS customer_name, nvl(c.segment, 'unknown') AS segment
FROM ods.orders o
LEFT JOIN ods.customers c ON o.customer_id = c.id
WHERE o.dt = '${hiveconf:run_date}';
