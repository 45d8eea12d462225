-- columns: h.s.t(c,a,n)
-- edge: h.s.t#c -> h.d.r#c IDENTITY
-- edge: h.s.t#a -> h.d.r#a IDENTITY
-- edge: h.s.t#n -> h.d.r#n AGGREGATION
-- edge: h.s.t#c -> h.d.r GROUP_BY
-- edge: h.s.t#a -> h.d.r GROUP_BY
-- completeness: complete

CREATE OR REPLACE MATERIALIZED VIEW h.d.r GRACE PERIOD INTERVAL '1' HOUR AS SELECT c, a, sum(n) AS n FROM h.s.t GROUP BY ROLLUP (c, a)
