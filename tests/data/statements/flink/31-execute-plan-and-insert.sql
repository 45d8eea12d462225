-- columns: d.s(a, b)
-- columns: d.t(a)
-- edge: d.s#a -> d.t#a IDENTITY
-- completeness: any

EXECUTE INSERT INTO d.t SELECT a FROM d.s
