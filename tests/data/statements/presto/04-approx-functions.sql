-- edge: hive.dw.v#site -> hive.mart.v#site IDENTITY
-- edge: hive.dw.v#uid -> hive.mart.v#uids AGGREGATION
-- edge: hive.dw.v#ms -> hive.mart.v#p95 AGGREGATION
-- edge: hive.dw.v#site -> hive.mart.v GROUP_BY
-- completeness: any

CREATE TABLE hive.mart.v AS
SELECT site, approx_distinct(uid) AS uids, approx_percentile(ms, 0.95) AS p95 FROM hive.dw.v GROUP BY site;
