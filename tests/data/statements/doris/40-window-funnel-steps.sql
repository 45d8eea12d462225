-- columns: dwd.act(uid, ev, ts, dt)
-- edge: dwd.act#ts -> ads.funnel#lvl AGGREGATION
-- edge: dwd.act#ev -> ads.funnel#lvl AGGREGATION
-- edge: dwd.act -> ads.funnel#users AGGREGATION
-- edge: dwd.act#dt -> ads.funnel FILTER
-- edge: dwd.act#uid -> ads.funnel GROUP_BY
-- edge: dwd.act#ts -> ads.funnel GROUP_BY
-- edge: dwd.act#ev -> ads.funnel GROUP_BY
-- completeness: complete

CREATE TABLE ads.funnel
DISTRIBUTED BY HASH(lvl) BUCKETS 1
PROPERTIES ('replication_num' = '1')
AS
SELECT lvl, COUNT(*) AS users
FROM (
  SELECT uid,
         WINDOW_FUNNEL(3600, 'default', ts, ev = 'view', ev = 'cart', ev = 'pay') AS lvl
  FROM dwd.act
  WHERE dt = '2025-06-01'
  GROUP BY uid
) f
GROUP BY lvl;
