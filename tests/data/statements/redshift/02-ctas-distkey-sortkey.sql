-- edge: raw.orders#cust_id -> mart.cust#cust_id IDENTITY
-- edge: raw.orders#id -> mart.cust#orders AGGREGATION
-- edge: raw.orders#total -> mart.cust#total AGGREGATION
-- edge: raw.orders#placed_at -> mart.cust FILTER
-- edge: raw.orders#cust_id -> mart.cust GROUP_BY
-- completeness: any

CREATE TABLE mart.cust
DISTSTYLE KEY DISTKEY (cust_id) SORTKEY (cust_id)
AS
SELECT cust_id, count(id) AS orders, sum(total) AS total
FROM raw.orders
WHERE placed_at >= dateadd(day, -30, getdate())
GROUP BY cust_id;
