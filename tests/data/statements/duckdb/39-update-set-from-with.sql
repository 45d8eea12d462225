-- columns: d.s(a, b)
-- columns: d.t(a, b)
-- edge: d.s#b -> d.t#b IDENTITY
-- edge: d.s#a -> d.t FILTER
-- edge: d.t#a -> d.t FILTER
-- completeness: any

WITH x AS (SELECT a, b FROM d.s) UPDATE d.t SET b = x.b FROM x WHERE d.t.a = x.a
