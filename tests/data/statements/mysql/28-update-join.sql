-- columns: s.b(id,x)
-- columns: d.b(id,x)
-- edge: s.b#x -> d.b#x IDENTITY
-- edge: s.b#id -> d.b JOIN
-- edge: d.b#id -> d.b JOIN
-- completeness: complete

UPDATE d.b b JOIN s.b s ON s.id = b.id SET b.x = s.x
