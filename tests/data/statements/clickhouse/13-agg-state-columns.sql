-- columns: agg.site(site, d, uids, p95)
-- edge: raw.e#site -> agg.site#site IDENTITY
-- edge: raw.e#d -> agg.site#d IDENTITY
-- edge: raw.e#uid -> agg.site#uids AGGREGATION
-- edge: raw.e#ms -> agg.site#p95 AGGREGATION
-- edge: raw.e#site -> agg.site GROUP_BY
-- edge: raw.e#d -> agg.site GROUP_BY
-- completeness: any

INSERT INTO agg.site
SELECT site, d, uniqState(uid), quantile(0.95)(ms)
FROM raw.e
GROUP BY site, d;
