-- columns: d.a(id, x)
-- columns: d.b(id, y)
-- edge: d.a#id -> d.a FILTER
-- edge: d.a#id -> d.b FILTER
-- edge: d.a#x -> d.b#y IDENTITY
-- edge: d.b#id -> d.a FILTER
-- edge: d.b#id -> d.b FILTER
-- edge: d.b#y -> d.a#x IDENTITY
-- completeness: any

UPDATE d.a, d.b SET a.x = b.y, b.y = a.x WHERE a.id = b.id
