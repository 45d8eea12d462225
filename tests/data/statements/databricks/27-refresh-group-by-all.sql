-- columns: c.s.x(id,n)
-- edge: c.s.x#id -> c.d.mv#id IDENTITY
-- edge: c.s.x#n -> c.d.mv#n AGGREGATION
-- edge: c.s.x#id -> c.d.mv GROUP_BY
-- completeness: complete

CREATE OR REFRESH MATERIALIZED VIEW c.d.mv AS SELECT id, max(n) AS n FROM c.s.x GROUP BY ALL
