-- columns: d.t(a, b)
-- columns: d.s(a, b)
-- edge: d.s#a -> d.t#a IDENTITY
-- edge: d.s#b -> d.t#b IDENTITY
-- edge: d.s#b -> d.t#b TRANSFORMATION
-- edge: d.t#b -> d.t#b TRANSFORMATION
-- completeness: any

INSERT INTO d.t (a, b) SELECT * FROM (SELECT a, b FROM d.s) AS n ON DUPLICATE KEY UPDATE b = d.t.b + n.b
