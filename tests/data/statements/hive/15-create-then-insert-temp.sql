-- columns: dws.uid_first(uid, first_ts, ev_cnt)
-- edge: ods.events#uid -> dws.uid_first#uid IDENTITY
-- edge: ods.events#ts -> dws.uid_first#first_ts AGGREGATION
-- edge: ods.events#ev -> dws.uid_first#ev_cnt AGGREGATION
-- edge: ods.events#ev -> dws.uid_first FILTER
-- edge: ods.events#uid -> dws.uid_first GROUP_BY
-- completeness: any

CREATE TEMPORARY TABLE tmp_uid AS
SELECT uid, min(ts) AS first_ts, count(ev) AS cnt
FROM ods.events
WHERE ev IN ('view', 'click')
GROUP BY uid;

INSERT OVERWRITE TABLE dws.uid_first
SELECT uid, first_ts, cnt FROM tmp_uid;
