-- columns: s.m(id,m1,m2)
-- edge: s.m#id -> d.l#id IDENTITY
-- edge: s.m#m1 -> d.l#val IDENTITY
-- edge: s.m#m2 -> d.l#val IDENTITY
-- completeness: complete

CREATE TABLE d.l AS SELECT id, name, val FROM s.m LATERAL VIEW stack(2, 'm1', m1, 'm2', m2) x AS name, val
