-- columns: d.t(a, b)
-- edge: d.t#a -> d.n#a IDENTITY
-- completeness: complete

SELECT a INTO d.n FROM d.t
