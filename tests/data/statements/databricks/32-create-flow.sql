-- columns: d.s(a, b)
-- completeness: any

CREATE FLOW f AS INSERT INTO d.t BY NAME SELECT a, b FROM STREAM d.s
