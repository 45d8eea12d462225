-- columns: d.s(a, b)
-- edge: d.s#a -> d.m#a IDENTITY
-- edge: d.s#b -> d.m#sb AGGREGATION
-- edge: d.s#a -> d.m GROUP_BY
-- completeness: any

CREATE MATERIALIZED TABLE d.m FRESHNESS = INTERVAL '3' MINUTE AS SELECT a, SUM(b) AS sb FROM d.s GROUP BY a
