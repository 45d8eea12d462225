-- columns: s.e(id,ts,v)
-- columns: d.h(hour,s)
-- edge: s.e#ts -> d.h#hour TRANSFORMATION
-- edge: s.e#v -> d.h#s AGGREGATION
-- edge: s.e#ts -> d.h GROUP_BY
-- completeness: any

CREATE MATERIALIZED VIEW d.mv TO d.h AS SELECT toStartOfHour(ts) AS hour, sum(v) AS s FROM s.e GROUP BY hour
