-- columns: hive.dw.ev(uid, ev, ts, val)
-- edge: hive.dw.ev#uid -> hive.mart.u#uid IDENTITY
-- edge: hive.dw.ev#ev -> hive.mart.u#last_ev AGGREGATION
-- edge: hive.dw.ev#ts -> hive.mart.u#last_ev AGGREGATION
-- edge: hive.dw.ev#val -> hive.mart.u#buys AGGREGATION
-- edge: hive.dw.ev#ev -> hive.mart.u#buys CONDITIONAL
-- edge: hive.dw.ev#uid -> hive.mart.u GROUP_BY
-- completeness: complete

CREATE TABLE hive.mart.u AS
SELECT uid, max_by(ev, ts) AS last_ev, sum(val) FILTER (WHERE ev = 'buy') AS buys
FROM hive.dw.ev
GROUP BY uid;
