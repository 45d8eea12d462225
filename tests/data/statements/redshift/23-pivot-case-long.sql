-- columns: dw.ev(uid, ev, at, val)
-- columns: dim.u(uid, country, test)
-- edge: dim.u#country -> mart.u#country IDENTITY
-- edge: dw.ev#uid -> mart.u#uid IDENTITY
-- edge: dw.ev#val -> mart.u#views AGGREGATION
-- edge: dw.ev#ev -> mart.u#views CONDITIONAL
-- edge: dw.ev#val -> mart.u#buys AGGREGATION
-- edge: dw.ev#ev -> mart.u#buys CONDITIONAL
-- edge: dw.ev#at -> mart.u#last_at AGGREGATION
-- edge: dim.u#country -> mart.u#rk WINDOW
-- edge: dw.ev#val -> mart.u#rk WINDOW
-- edge: dw.ev#ev -> mart.u#rk WINDOW
-- edge: dw.ev#uid -> mart.u JOIN
-- edge: dim.u#uid -> mart.u JOIN
-- edge: dim.u#test -> mart.u FILTER
-- edge: dw.ev#at -> mart.u FILTER
-- edge: dim.u#country -> mart.u GROUP_BY
-- edge: dw.ev#uid -> mart.u GROUP_BY
-- completeness: complete

CREATE TABLE mart.u DISTSTYLE AUTO AS
WITH a AS (
  SELECT d.country, s.uid,
         SUM(CASE WHEN s.ev = 'view' THEN s.val ELSE 0 END) AS views,
         SUM(CASE WHEN s.ev = 'buy' THEN s.val ELSE 0 END) AS buys,
         MAX(s.at) AS last_at
  FROM dw.ev s
  INNER JOIN dim.u d ON d.uid = s.uid
  WHERE NOT d.test AND s.at > '2024-01-01'
  GROUP BY d.country, s.uid
)
SELECT country, uid, views, buys, last_at,
       RANK() OVER (PARTITION BY country ORDER BY buys DESC) AS rk
FROM a;
