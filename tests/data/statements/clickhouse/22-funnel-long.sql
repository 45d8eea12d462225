-- columns: mart.funnel(day, utm, visitors, carts, buyers, revenue)
-- edge: raw.ev#ts -> mart.funnel#day AGGREGATION
-- edge: raw.ev#utm -> mart.funnel#utm AGGREGATION
-- edge: raw.ev#ts -> mart.funnel#utm AGGREGATION
-- edge: raw.ev#uid -> mart.funnel#visitors AGGREGATION
-- edge: raw.ev#uid -> mart.funnel#carts AGGREGATION
-- edge: raw.ev#ts -> mart.funnel#carts CONDITIONAL
-- edge: raw.ev#name -> mart.funnel#carts CONDITIONAL
-- edge: raw.ev#uid -> mart.funnel#buyers AGGREGATION
-- edge: raw.ev#ts -> mart.funnel#buyers CONDITIONAL
-- edge: raw.ev#name -> mart.funnel#buyers CONDITIONAL
-- edge: raw.ev#amt -> mart.funnel#revenue AGGREGATION
-- edge: raw.ev#name -> mart.funnel#revenue CONDITIONAL
-- edge: raw.ev#ts -> mart.funnel FILTER
-- edge: raw.ev#uid -> mart.funnel GROUP_BY
-- edge: raw.ev#ts -> mart.funnel GROUP_BY
-- edge: raw.ev#utm -> mart.funnel GROUP_BY
-- completeness: any
-- note: dates of minima: carts and buyers ask whether a step's minimum is there

INSERT INTO mart.funnel
WITH steps AS
(
    SELECT
        uid,
        min(ts) AS first_ts,
        argMin(utm, ts) AS utm,
        minIf(ts, name = 'cart') AS cart_ts,
        minIf(ts, name = 'buy') AS buy_ts,
        sumIf(amt, name = 'buy') AS revenue
    FROM raw.ev
    WHERE ts >= '2024-01-01 00:00:00'
    GROUP BY uid
)
SELECT
    toDate(first_ts) AS day,
    utm,
    uniqExact(uid),
    uniqExact(if(cart_ts > first_ts, uid, NULL)),
    uniqExact(if(buy_ts > cart_ts, uid, NULL)),
    sum(revenue)
FROM steps
GROUP BY day, utm;
