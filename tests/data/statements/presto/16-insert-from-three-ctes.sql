-- columns: hive.web.v(uid, url, ts)
-- columns: hive.shop.o(uid, amt, ts)
-- columns: hive.mart.roi(host, visits, buyers, amt)
-- edge: hive.web.v#url -> hive.mart.roi#host TRANSFORMATION
-- edge: hive.web.v#ts -> hive.mart.roi#visits AGGREGATION
-- edge: hive.shop.o#uid -> hive.mart.roi#buyers AGGREGATION
-- edge: hive.shop.o#amt -> hive.mart.roi#amt AGGREGATION
-- edge: hive.web.v#ts -> hive.mart.roi FILTER
-- edge: hive.shop.o#ts -> hive.mart.roi FILTER
-- edge: hive.web.v#uid -> hive.mart.roi JOIN
-- edge: hive.shop.o#uid -> hive.mart.roi JOIN
-- edge: hive.web.v#url -> hive.mart.roi GROUP_BY
-- edge: hive.shop.o#uid -> hive.mart.roi GROUP_BY
-- completeness: complete

INSERT INTO hive.mart.roi
WITH v AS (
  SELECT uid, url_extract_host(url) AS host, ts FROM hive.web.v WHERE ts >= timestamp '2024-01-01 00:00:00'
), o AS (
  SELECT uid, sum(amt) AS amt FROM hive.shop.o WHERE ts >= timestamp '2024-01-01 00:00:00' GROUP BY uid
)
SELECT v.host, count(v.ts), count(DISTINCT o.uid), sum(o.amt)
FROM v LEFT JOIN o ON o.uid = v.uid
GROUP BY v.host;
