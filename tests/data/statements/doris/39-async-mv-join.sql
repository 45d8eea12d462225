-- columns: dwd.pv(url, uid, ms, ts)
-- columns: dim.page(url, module)
-- edge: dim.page#module -> mv.module_hour#module IDENTITY
-- edge: dwd.pv#ts -> mv.module_hour#h TRANSFORMATION
-- edge: dwd.pv -> mv.module_hour#pv AGGREGATION
-- edge: dim.page -> mv.module_hour#pv AGGREGATION
-- edge: dwd.pv#ms -> mv.module_hour#avg_ms AGGREGATION
-- edge: dwd.pv#url -> mv.module_hour JOIN
-- edge: dim.page#url -> mv.module_hour JOIN
-- edge: dim.page#module -> mv.module_hour GROUP_BY
-- edge: dwd.pv#ts -> mv.module_hour GROUP_BY
-- completeness: complete

CREATE MATERIALIZED VIEW mv.module_hour
BUILD DEFERRED REFRESH COMPLETE ON SCHEDULE EVERY 1 HOUR
DISTRIBUTED BY HASH(module) BUCKETS 4
PROPERTIES ('replication_num' = '3')
AS
SELECT d.module,
       DATE_TRUNC(s.ts, 'hour') AS h,
       COUNT(*) AS pv,
       AVG(s.ms) AS avg_ms
FROM dwd.pv s
JOIN dim.page d ON d.url = s.url
GROUP BY d.module, DATE_TRUNC(s.ts, 'hour');
