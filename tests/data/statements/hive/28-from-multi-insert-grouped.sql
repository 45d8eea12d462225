-- columns: dws.page(page, pv, uv, dt)
-- columns: dws.city(city, uv, dt)
-- edge: dwd.pv#page -> dws.page#page IDENTITY
-- edge: dwd.pv#uid -> dws.page#pv AGGREGATION
-- edge: dwd.pv#uid -> dws.page#uv AGGREGATION
-- edge: dwd.pv#dt -> dws.page FILTER
-- edge: dwd.pv#page -> dws.page GROUP_BY
-- edge: dwd.pv#city -> dws.city#city IDENTITY
-- edge: dwd.pv#uid -> dws.city#uv AGGREGATION
-- edge: dwd.pv#dt -> dws.city FILTER
-- edge: dwd.pv#city -> dws.city FILTER
-- edge: dwd.pv#city -> dws.city GROUP_BY
-- completeness: any

FROM (SELECT uid, page, city FROM dwd.pv WHERE dt = '20240101') p
INSERT OVERWRITE TABLE dws.page PARTITION (dt = '20240101')
  SELECT p.page, count(p.uid), count(DISTINCT p.uid) GROUP BY p.page
INSERT OVERWRITE TABLE dws.city PARTITION (dt = '20240101')
  SELECT p.city, count(DISTINCT p.uid) WHERE p.city IS NOT NULL GROUP BY p.city;
