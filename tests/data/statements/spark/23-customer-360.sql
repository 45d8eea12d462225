-- columns: silver.cust(id, name, email, created_at, country)
-- columns: silver.orders(order_id, cust_id, amount, ordered_at, channel, status)
-- columns: silver.tickets(ticket_id, cust_id, severity, opened_at)
-- columns: silver.web(cust_id, session_id, seconds, day)
-- edge: silver.cust#id -> gold.cust_360#id IDENTITY
-- edge: silver.cust#name -> gold.cust_360#name TRANSFORMATION
-- edge: silver.cust#email -> gold.cust_360#domain TRANSFORMATION
-- edge: silver.orders#amount -> gold.cust_360#ltv AGGREGATION
-- edge: silver.orders#amount -> gold.cust_360#web_share AGGREGATION
-- edge: silver.orders#channel -> gold.cust_360#web_share CONDITIONAL
-- edge: silver.orders#ordered_at -> gold.cust_360#last_order AGGREGATION
-- edge: silver.tickets#ticket_id -> gold.cust_360#tickets AGGREGATION
-- edge: silver.tickets#severity -> gold.cust_360#worst AGGREGATION
-- edge: silver.web#seconds -> gold.cust_360#minutes AGGREGATION
-- edge: silver.orders#amount -> gold.cust_360#segment CONDITIONAL
-- edge: silver.tickets#ticket_id -> gold.cust_360#segment CONDITIONAL
-- edge: silver.orders#status -> gold.cust_360 FILTER
-- edge: silver.tickets#opened_at -> gold.cust_360 FILTER
-- edge: silver.web#day -> gold.cust_360 FILTER
-- edge: silver.cust#country -> gold.cust_360 FILTER
-- edge: silver.cust#id -> gold.cust_360 JOIN
-- edge: silver.orders#cust_id -> gold.cust_360 JOIN
-- edge: silver.tickets#cust_id -> gold.cust_360 JOIN
-- edge: silver.web#cust_id -> gold.cust_360 JOIN
-- edge: silver.orders#cust_id -> gold.cust_360 GROUP_BY
-- edge: silver.tickets#cust_id -> gold.cust_360 GROUP_BY
-- edge: silver.web#cust_id -> gold.cust_360 GROUP_BY
-- completeness: complete
-- note: web_share has amount twice: a sum of conditional amounts over the sum of all

CREATE OR REPLACE TABLE gold.cust_360 USING delta AS
WITH ord AS (
    SELECT cust_id,
           sum(amount) AS ltv,
           sum(CASE WHEN channel = 'web' THEN amount ELSE 0 END) AS web_amount,
           max(ordered_at) AS last_order
    FROM silver.orders
    WHERE status <> 'cancelled'
    GROUP BY cust_id
),
tix AS (
    SELECT cust_id, count(ticket_id) AS tickets, max(severity) AS worst
    FROM silver.tickets
    WHERE opened_at > add_months(current_date(), -12)
    GROUP BY cust_id
),
web AS (
    SELECT cust_id, sum(seconds) / 60 AS minutes
    FROM silver.web
    WHERE day >= '2024-01-01'
    GROUP BY cust_id
)
SELECT c.id,
       initcap(c.name) AS name,
       split(c.email, '@')[1] AS domain,
       o.ltv,
       o.web_amount / o.ltv AS web_share,
       o.last_order,
       t.tickets,
       t.worst,
       w.minutes,
       CASE WHEN o.ltv > 10000 AND coalesce(t.tickets, 0) < 3 THEN 'champion'
            WHEN o.ltv > 1000 THEN 'regular'
            ELSE 'other' END AS segment
FROM silver.cust c
LEFT JOIN ord o ON o.cust_id = c.id
LEFT JOIN tix t ON t.cust_id = c.id
LEFT JOIN web w ON w.cust_id = c.id
WHERE c.country IS NOT NULL;
