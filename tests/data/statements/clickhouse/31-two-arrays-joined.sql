-- columns: s.a(id,ks,vs)
-- columns: d.o(id,k,v)
-- edge: s.a#id -> d.o#id IDENTITY
-- edge: s.a#ks -> d.o#k IDENTITY
-- edge: s.a#vs -> d.o#v IDENTITY
-- completeness: complete

INSERT INTO d.o SELECT id, k, v FROM s.a ARRAY JOIN ks AS k, vs AS v
