-- columns: h.s.a(id,x)
-- columns: h.s.b(id)
-- edge: h.s.a#id -> h.d.c#id IDENTITY
-- edge: h.s.a#x -> h.d.c#x IDENTITY
-- edge: h.s.a#id -> h.d.c FILTER
-- edge: h.s.b#id -> h.d.c FILTER
-- completeness: complete

CREATE TABLE h.d.c AS SELECT id, x FROM h.s.a WHERE NOT EXISTS (SELECT 1 FROM h.s.b WHERE b.id = a.id)
