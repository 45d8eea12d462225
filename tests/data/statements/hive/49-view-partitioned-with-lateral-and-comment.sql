-- columns: d.s(a, m)
-- edge: d.s#a -> d.v#a IDENTITY
-- edge: d.s#m -> d.v#k TRANSFORMATION
-- edge: d.s#m -> d.v#val TRANSFORMATION
-- completeness: any

CREATE VIEW d.v (a COMMENT 'x', k, val) AS SELECT a, k, val FROM d.s LATERAL VIEW explode(m) e AS k, val
