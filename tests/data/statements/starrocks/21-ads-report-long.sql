-- columns: dwd.o(oid, uid, sid, amt, dt, st)
-- columns: dim.s(sid, city, brand)
-- columns: dim.u(uid, is_new)
-- columns: ads.shop_day(dt, city, brand, gmv, buyers, new_buyers, rk)
-- edge: dwd.o#dt -> ads.shop_day#dt IDENTITY
-- edge: dim.s#city -> ads.shop_day#city TRANSFORMATION
-- edge: dim.s#brand -> ads.shop_day#brand IDENTITY
-- edge: dwd.o#amt -> ads.shop_day#gmv AGGREGATION
-- edge: dwd.o#uid -> ads.shop_day#buyers AGGREGATION
-- edge: dwd.o#uid -> ads.shop_day#new_buyers AGGREGATION
-- edge: dim.u#is_new -> ads.shop_day#new_buyers CONDITIONAL
-- edge: dwd.o#dt -> ads.shop_day#rk WINDOW
-- edge: dwd.o#amt -> ads.shop_day#rk WINDOW
-- edge: dwd.o#st -> ads.shop_day FILTER
-- edge: dwd.o#dt -> ads.shop_day FILTER
-- edge: dwd.o#sid -> ads.shop_day JOIN
-- edge: dim.s#sid -> ads.shop_day JOIN
-- edge: dwd.o#uid -> ads.shop_day JOIN
-- edge: dim.u#uid -> ads.shop_day JOIN
-- edge: dwd.o#dt -> ads.shop_day GROUP_BY
-- edge: dim.s#city -> ads.shop_day GROUP_BY
-- edge: dim.s#brand -> ads.shop_day GROUP_BY
-- completeness: complete

INSERT INTO ads.shop_day
WITH base AS (
  SELECT o.dt, IFNULL(s.city, 'NA') AS city, s.brand, o.amt, o.uid, u.is_new
  FROM dwd.o o
  LEFT JOIN dim.s s ON o.sid = s.sid
  LEFT JOIN dim.u u ON o.uid = u.uid
  WHERE o.st = 1 AND o.dt BETWEEN '2024-01-01' AND '2024-01-31'
), agg AS (
  SELECT dt, city, brand, SUM(amt) AS gmv, COUNT(DISTINCT uid) AS buyers,
         COUNT(DISTINCT CASE WHEN is_new = 1 THEN uid END) AS new_buyers
  FROM base GROUP BY dt, city, brand
)
SELECT dt, city, brand, gmv, buyers, new_buyers,
       ROW_NUMBER() OVER (PARTITION BY dt ORDER BY gmv DESC) AS rk
FROM agg;
