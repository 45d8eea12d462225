-- columns: d.s(a, v)
-- edge: d.s#a -> r GROUP_BY
-- edge: d.s#a -> r#a IDENTITY
-- edge: d.s#v -> r#sum(v) AGGREGATION
-- completeness: any

CREATE MATERIALIZED VIEW r AS SELECT a, sum(v) FROM d.s GROUP BY a
