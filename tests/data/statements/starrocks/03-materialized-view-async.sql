-- columns: dwd.o(id, cid, amt, dt)
-- columns: dim.c(id, region)
-- edge: dwd.o#dt -> mv.region_day#dt IDENTITY
-- edge: dim.c#region -> mv.region_day#region IDENTITY
-- edge: dwd.o#amt -> mv.region_day#amt AGGREGATION
-- edge: dwd.o#cid -> mv.region_day JOIN
-- edge: dim.c#id -> mv.region_day JOIN
-- edge: dwd.o#dt -> mv.region_day GROUP_BY
-- edge: dim.c#region -> mv.region_day GROUP_BY
-- completeness: complete

CREATE MATERIALIZED VIEW mv.region_day
PARTITION BY dt
DISTRIBUTED BY HASH(region) BUCKETS 8
REFRESH ASYNC EVERY (INTERVAL 1 HOUR)
AS
SELECT o.dt, c.region, SUM(o.amt) AS amt
FROM dwd.o o JOIN dim.c c ON o.cid = c.id
GROUP BY o.dt, c.region;
