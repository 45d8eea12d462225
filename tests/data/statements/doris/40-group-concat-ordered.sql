-- columns: dwd.step(trace_id, svc, ms, seq)
-- edge: dwd.step#trace_id -> ads.trace#trace_id IDENTITY
-- edge: dwd.step#svc -> ads.trace#path AGGREGATION
-- edge: dwd.step#seq -> ads.trace#path SORT
-- edge: dwd.step#ms -> ads.trace#total_ms AGGREGATION
-- edge: dwd.step#trace_id -> ads.trace GROUP_BY
-- edge: dwd.step#ms -> ads.trace FILTER
-- completeness: complete

CREATE TABLE ads.trace
PROPERTIES ('replication_num' = '1')
AS
SELECT trace_id,
       GROUP_CONCAT(svc, '>' ORDER BY seq) AS path,
       SUM(ms) AS total_ms
FROM dwd.step
GROUP BY trace_id
HAVING SUM(ms) > 1000;
