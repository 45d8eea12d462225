-- columns: ods.ev(uid, ev, ts)
-- columns: dwd.first(uid, ts)
-- edge: ods.ev#uid -> dwd.first#uid IDENTITY
-- edge: ods.ev#ts -> dwd.first#ts AGGREGATION
-- edge: ods.ev#ev -> dwd.first FILTER
-- edge: ods.ev#uid -> dwd.first GROUP_BY
-- completeness: complete

INSERT INTO dwd.first (uid, ts)
WITH b AS (SELECT uid, ts FROM ods.ev WHERE ev = 'buy')
SELECT uid, MIN(ts) FROM b GROUP BY uid;
