-- columns: main.silver.orders(order_id, cust_id, amount)
-- columns: main.silver.cust(cust_id, segment)
-- edge: main.silver.cust#segment -> main.gold.segment_mv#segment IDENTITY
-- edge: main.silver.orders#amount -> main.gold.segment_mv#avg_amount AGGREGATION
-- edge: main.silver.orders#cust_id -> main.gold.segment_mv JOIN
-- edge: main.silver.cust#cust_id -> main.gold.segment_mv JOIN
-- edge: main.silver.cust#segment -> main.gold.segment_mv GROUP_BY
-- completeness: complete

CREATE MATERIALIZED VIEW main.gold.segment_mv
COMMENT 'average order by segment'
AS SELECT c.segment, avg(o.amount) AS avg_amount
FROM main.silver.orders o
JOIN main.silver.cust c USING (cust_id)
GROUP BY c.segment;
