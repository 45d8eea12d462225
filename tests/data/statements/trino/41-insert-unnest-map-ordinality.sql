-- columns: h.s.a(id,m,xs)
-- columns: h.d.a(id,k,v,x,n)
-- edge: h.s.a#id -> h.d.a#id IDENTITY
-- edge: h.s.a#m -> h.d.a#k TRANSFORMATION
-- edge: h.s.a#m -> h.d.a#v TRANSFORMATION
-- edge: h.s.a#m -> h.d.a#x TRANSFORMATION
-- edge: h.s.a#xs -> h.d.a#x TRANSFORMATION
-- edge: h.s.a#xs -> h.d.a#k TRANSFORMATION
-- edge: h.s.a#xs -> h.d.a#v TRANSFORMATION
-- completeness: any

INSERT INTO h.d.a
SELECT a.id, t.k, t.v, t.x, t.n FROM h.s.a a CROSS JOIN UNNEST(a.m, a.xs) WITH ORDINALITY AS t (k, v, x, n)
