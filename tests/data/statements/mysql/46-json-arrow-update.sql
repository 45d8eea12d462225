-- columns: d.t(a, j)
-- columns: d.s(a, x)
-- edge: d.t#j -> d.t#j TRANSFORMATION
-- edge: d.s#x -> d.t#j TRANSFORMATION
-- edge: d.t#a -> d.t JOIN
-- edge: d.s#a -> d.t JOIN
-- completeness: any

UPDATE d.t t JOIN d.s s ON t.a = s.a SET t.j = JSON_SET(t.j, '$.x', s.x)
