-- columns: h.s.a(id,m)
-- columns: h.d.b(k,v)
-- edge: h.s.a#m -> h.d.b#k TRANSFORMATION
-- edge: h.s.a#m -> h.d.b#v TRANSFORMATION
-- completeness: complete

INSERT INTO h.d.b (k, v) SELECT t.k, t.v FROM h.s.a a CROSS JOIN UNNEST(a.m) AS t(k, v)
