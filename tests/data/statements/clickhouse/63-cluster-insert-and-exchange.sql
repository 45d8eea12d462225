-- columns: d.s(k,v)
-- columns: d.t(k,v)
-- columns: d.t_new(k,v)
-- edge: d.s#k -> d.t_new#k IDENTITY
-- edge: d.s#v -> d.t_new#v AGGREGATION
-- edge: d.s#k -> d.t_new GROUP_BY
-- edge: d.t_new#k -> d.t#k IDENTITY
-- edge: d.t_new#v -> d.t#v IDENTITY
-- edge: d.t#k -> d.t_new#k IDENTITY
-- edge: d.t#v -> d.t_new#v IDENTITY
-- completeness: complete

INSERT INTO d.t_new SELECT k, sum(v) FROM d.s GROUP BY k;
EXCHANGE TABLES d.t_new AND d.t ON CLUSTER c;
