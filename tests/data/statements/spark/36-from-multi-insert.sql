-- columns: d.s(a, b)
-- columns: d.t(a)
-- columns: d.u(b)
-- edge: d.s#a -> d.t#a IDENTITY
-- edge: d.s#b -> d.t FILTER
-- edge: d.s#b -> d.u#b IDENTITY
-- completeness: any

FROM d.s INSERT OVERWRITE TABLE d.t SELECT a WHERE b > 1 INSERT INTO d.u SELECT b
