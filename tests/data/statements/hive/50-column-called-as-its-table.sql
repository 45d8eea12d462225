-- completeness: complete
-- edge: dim.active#uid -> dw.u JOIN
-- edge: dim.lvl#lvl -> dw.u#lvl TRANSFORMATION
-- edge: dim.lvl#uid -> dw.u JOIN
-- edge: ods.log#ts -> dw.u#mts AGGREGATION
-- edge: ods.log#uid -> dw.u GROUP_BY
-- edge: ods.log#uid -> dw.u JOIN
-- edge: ods.log#uid -> dw.u#uid IDENTITY

WITH a AS (SELECT uid, max(ts) AS mts FROM ods.log GROUP BY uid), b AS (SELECT uid, lvl FROM dim.lvl)
INSERT OVERWRITE TABLE dw.u SELECT a.uid, a.mts, coalesce(b.lvl, 0) AS lvl FROM a LEFT SEMI JOIN dim.active x ON a.uid = x.uid LEFT JOIN b ON a.uid = b.uid
