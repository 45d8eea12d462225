-- columns: s.p(uid,page,ts)
-- columns: d.f(uid,page,prev_page,dt)
-- edge: s.p#uid -> d.f#uid IDENTITY
-- edge: s.p#page -> d.f#page IDENTITY
-- edge: s.p#page -> d.f#prev_page TRANSFORMATION
-- edge: s.p#uid -> d.f#prev_page WINDOW
-- edge: s.p#ts -> d.f#prev_page WINDOW
-- edge: s.p#ts -> d.f FILTER
-- completeness: complete

SET hivevar:day=2026-02-01;
INSERT OVERWRITE TABLE d.f PARTITION (dt='${hivevar:day}')
SELECT uid, page, lag(page) OVER (PARTITION BY uid ORDER BY ts) FROM s.p WHERE to_date(ts) = '${hivevar:day}';
