-- columns: d.s(a, b)
-- edge: d.s#a -> d.mv#a IDENTITY
-- edge: d.s#b -> d.mv#sb AGGREGATION
-- edge: d.s#a -> d.mv GROUP_BY
-- completeness: any

CREATE MATERIALIZED VIEW d.mv PARTITIONED ON (a) STORED AS ORC AS SELECT a, sum(b) AS sb FROM d.s GROUP BY a;
ALTER MATERIALIZED VIEW d.mv REBUILD;
