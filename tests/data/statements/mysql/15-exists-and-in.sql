-- columns: s.o(id, c, amt)
-- columns: s.p(oid, ok)
-- columns: s.v(c)
-- columns: d.o(id, amt)
-- edge: s.o#id -> d.o#id IDENTITY
-- edge: s.o#amt -> d.o#amt IDENTITY
-- edge: s.o#id -> d.o FILTER
-- edge: s.p#oid -> d.o FILTER
-- edge: s.p#ok -> d.o FILTER
-- edge: s.o#c -> d.o FILTER
-- edge: s.v#c -> d.o FILTER
-- completeness: complete

INSERT INTO d.o (id, amt)
SELECT o.id, o.amt FROM s.o o
WHERE EXISTS (SELECT 1 FROM s.p p WHERE p.oid = o.id AND p.ok = 1)
  AND o.c IN (SELECT v.c FROM s.v v);
