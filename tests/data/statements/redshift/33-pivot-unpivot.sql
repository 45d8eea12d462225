-- columns: d.s(k, q, v)
-- edge: d.s#k -> d.p#k IDENTITY
-- edge: d.s#v -> d.p#a AGGREGATION
-- edge: d.s#q -> d.p#a CONDITIONAL
-- edge: d.s#v -> d.p#b AGGREGATION
-- edge: d.s#q -> d.p#b CONDITIONAL
-- edge: d.s#k -> d.p GROUP_BY
-- completeness: any

CREATE TABLE d.p AS SELECT * FROM (SELECT k, q, v FROM d.s) PIVOT (SUM(v) FOR q IN ('a', 'b'))
