-- columns: d.s(a, b)
-- columns: d.t(a, b)
-- edge: d.s#a -> d.t#a IDENTITY
-- edge: d.s#b -> d.t#b IDENTITY
-- completeness: complete

INSERT INTO d.t TABLE d.s
