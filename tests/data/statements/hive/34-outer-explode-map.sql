-- columns: s.o(id,tags)
-- columns: d.t(id,k,v)
-- edge: s.o#id -> d.t#id IDENTITY
-- edge: s.o#tags -> d.t#k TRANSFORMATION
-- edge: s.o#tags -> d.t#v TRANSFORMATION
-- completeness: complete

INSERT INTO TABLE d.t SELECT o.id, e.k, e.v FROM s.o o LATERAL VIEW OUTER explode(o.tags) e AS k, v
