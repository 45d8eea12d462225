-- columns: ods.m(k, ms, st)
-- columns: ads.m(k, p99, errs)
-- edge: ods.m#k -> ads.m#k IDENTITY
-- edge: ods.m#ms -> ads.m#p99 AGGREGATION
-- edge: ods.m#ms -> ads.m#errs AGGREGATION
-- edge: ods.m#st -> ads.m#errs CONDITIONAL
-- edge: ods.m#k -> ads.m GROUP_BY
-- completeness: complete

INSERT INTO ads.m
SELECT k, PERCENTILE_APPROX(ms, 0.99), SUM(CASE WHEN st >= 500 THEN ms ELSE 0 END) FROM ods.m GROUP BY k;
