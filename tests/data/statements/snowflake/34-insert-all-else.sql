-- columns: R.A(ID,N)
-- columns: A.C(ID,N)
-- edge: R.A#ID -> A.C#ID IDENTITY
-- edge: R.A#N -> A.C#N IDENTITY
-- edge: R.A#N -> A.C FILTER
-- edge: R.A#ID -> A.E#ID IDENTITY
-- edge: R.A#N -> A.E FILTER
-- completeness: complete

insert all when n > 10 then into a.c (id, n) values (id, n) else into a.e (id) values (id) select id, n from r.a
