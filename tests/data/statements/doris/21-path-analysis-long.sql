-- columns: dwd.e(uid, page, ts, dt)
-- columns: dim.p(page, module)
-- columns: ads.path(module, next_module, users, avg_gap)
-- edge: dim.p#module -> ads.path#module IDENTITY
-- edge: dim.p#module -> ads.path#next_module TRANSFORMATION
-- edge: dwd.e#uid -> ads.path#next_module WINDOW
-- edge: dwd.e#ts -> ads.path#next_module WINDOW
-- edge: dwd.e#uid -> ads.path#users AGGREGATION
-- edge: dwd.e#ts -> ads.path#avg_gap AGGREGATION
-- edge: dwd.e#uid -> ads.path#avg_gap WINDOW
-- edge: dwd.e#ts -> ads.path#avg_gap WINDOW
-- edge: dwd.e#dt -> ads.path FILTER
-- edge: dim.p#module -> ads.path FILTER
-- edge: dwd.e#uid -> ads.path FILTER
-- edge: dwd.e#ts -> ads.path FILTER
-- edge: dwd.e#page -> ads.path JOIN
-- edge: dim.p#page -> ads.path JOIN
-- edge: dim.p#module -> ads.path GROUP_BY
-- edge: dwd.e#uid -> ads.path GROUP_BY
-- edge: dwd.e#ts -> ads.path GROUP_BY
-- completeness: complete
-- note: what is grouped by is a window's result, so the window's columns decide, too

INSERT INTO ads.path
WITH s AS (
  SELECT e.uid, p.module, e.ts,
         LEAD(p.module) OVER (PARTITION BY e.uid ORDER BY e.ts) AS next_module,
         LEAD(e.ts) OVER (PARTITION BY e.uid ORDER BY e.ts) AS next_ts
  FROM dwd.e e JOIN dim.p p ON p.page = e.page
  WHERE e.dt = '2024-03-01'
)
SELECT module, next_module, COUNT(DISTINCT uid), AVG(next_ts - ts)
FROM s
WHERE next_module IS NOT NULL
GROUP BY module, next_module;
