-- columns: rpt.first(uid, ts)
-- edge: app.ev#uid -> rpt.first#uid IDENTITY
-- edge: app.ev#ts -> rpt.first#ts AGGREGATION
-- edge: app.ev#kind -> rpt.first FILTER
-- edge: app.ev#uid -> rpt.first GROUP_BY
-- completeness: any

CREATE TEMPORARY TABLE tmp_first AS
SELECT uid, MIN(ts) AS ts FROM app.ev WHERE kind = 'buy' GROUP BY uid;
INSERT INTO rpt.first (uid, ts) SELECT uid, ts FROM tmp_first;
DROP TEMPORARY TABLE tmp_first;
