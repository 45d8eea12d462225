-- columns: d.s(id, xs)
-- edge: d.s#id -> d.t#id IDENTITY
-- edge: d.s#xs -> d.t#p TRANSFORMATION
-- edge: d.s#xs -> d.t#x TRANSFORMATION
-- completeness: any

INSERT INTO d.t (id, p, x) SELECT id, p, x FROM d.s LATERAL VIEW OUTER posexplode(xs) e AS p, x
