-- columns: d.s(a, b)
-- completeness: complete
-- edge: d.s#a -> d.t#a IDENTITY
-- edge: d.s#b -> d.t#b IDENTITY

CREATE FLOW f AS INSERT INTO d.t BY NAME SELECT a, b FROM STREAM d.s
