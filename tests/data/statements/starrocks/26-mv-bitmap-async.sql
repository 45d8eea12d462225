-- columns: s.a(dt,u)
-- edge: s.a#dt -> d.m#dt IDENTITY
-- edge: s.a#u -> d.m#uv AGGREGATION
-- edge: s.a#dt -> d.m GROUP_BY
-- completeness: complete

CREATE MATERIALIZED VIEW d.m DISTRIBUTED BY HASH(dt) REFRESH ASYNC EVERY (INTERVAL 1 HOUR) AS SELECT dt, bitmap_union(to_bitmap(u)) AS uv FROM s.a GROUP BY dt
