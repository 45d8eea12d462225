-- columns: h.s.d(id,x)
-- columns: h.s.k(id)
-- edge: h.s.d#id -> h.s.d FILTER
-- edge: h.s.k#id -> h.s.d FILTER
-- completeness: complete

DELETE FROM h.s.d WHERE id IN (SELECT id FROM h.s.k)
