-- columns: d.s(a, b)
-- columns: d.t(a, b)
-- edge: d.s#a -> d.t#a IDENTITY
-- edge: d.s#b -> d.t#b IDENTITY
-- completeness: any

INSERT INTO d.t REPLACE USING (a) SELECT a, b FROM d.s
