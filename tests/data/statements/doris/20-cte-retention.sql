-- columns: ads.retain(dt, users, back)
-- edge: dwd.login#dt -> ads.retain#dt AGGREGATION
-- edge: dwd.login#uid -> ads.retain#users AGGREGATION
-- edge: dwd.login#uid -> ads.retain#back AGGREGATION
-- edge: dwd.login#uid -> ads.retain JOIN
-- edge: dwd.login#dt -> ads.retain JOIN
-- edge: dwd.login#uid -> ads.retain GROUP_BY
-- edge: dwd.login#dt -> ads.retain GROUP_BY
-- completeness: any

INSERT INTO ads.retain
WITH f AS (SELECT uid, MIN(dt) AS dt FROM dwd.login GROUP BY uid)
SELECT f.dt, COUNT(DISTINCT f.uid), COUNT(DISTINCT l.uid)
FROM f
LEFT JOIN dwd.login l ON l.uid = f.uid AND l.dt = DATE_ADD(f.dt, INTERVAL 1 DAY)
GROUP BY f.dt;
