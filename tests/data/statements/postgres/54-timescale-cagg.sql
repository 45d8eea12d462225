-- columns: d.m(ts, v)
-- edge: d.m#ts -> d.h#b TRANSFORMATION
-- edge: d.m#v -> d.h#av AGGREGATION
-- edge: d.m#ts -> d.h GROUP_BY
-- completeness: any

CREATE MATERIALIZED VIEW d.h WITH (timescaledb.continuous) AS SELECT time_bucket('1 hour', ts) AS b, avg(v) AS av FROM d.m GROUP BY 1
