-- columns: dw.orders(id, cust, amt, at)
-- columns: dw.cust(id, seg)
-- edge: dw.orders#at -> mart.seg_month#month TRANSFORMATION
-- edge: dw.cust#seg -> mart.seg_month#seg IDENTITY
-- edge: dw.orders#amt -> mart.seg_month#amt AGGREGATION
-- edge: dw.orders#cust -> mart.seg_month JOIN
-- edge: dw.cust#id -> mart.seg_month JOIN
-- edge: dw.orders#at -> mart.seg_month GROUP_BY
-- edge: dw.cust#seg -> mart.seg_month GROUP_BY
-- completeness: complete

CREATE MATERIALIZED VIEW mart.seg_month AS
SELECT date_trunc('month', o.at) AS month, c.seg, sum(o.amt) AS amt
FROM dw.orders o
JOIN dw.cust c ON c.id = o.cust
GROUP BY 1, 2
WITH DATA;
REFRESH MATERIALIZED VIEW mart.seg_month;
