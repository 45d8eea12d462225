-- columns: dws.customer_daily(customer_id, spent, order_cnt, dt)
-- edge: ods.orders#customer_id -> dws.customer_daily#customer_id IDENTITY
-- edge: ods.orders#amount -> dws.customer_daily#spent AGGREGATION
-- edge: ods.orders#order_id -> dws.customer_daily#order_cnt AGGREGATION
-- edge: ods.orders#dt -> dws.customer_daily FILTER
-- edge: ods.orders#status -> dws.customer_daily FILTER
-- edge: ods.orders#customer_id -> dws.customer_daily GROUP_BY
-- completeness: any

INSERT OVERWRITE TABLE dws.customer_daily PARTITION (dt = '${bizdate}')
SELECT customer_id, SUM(amount), COUNT(DISTINCT order_id)
FROM ods.orders
WHERE dt = '${bizdate}' AND status <> 'CANCELLED'
GROUP BY customer_id;
