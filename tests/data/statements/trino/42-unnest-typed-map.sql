-- columns: h.a.m(id, m map(varchar, bigint), xs array(integer))
-- columns: h.b.m(id,k,v,x)
-- edge: h.a.m#id -> h.b.m#id IDENTITY
-- edge: h.a.m#m -> h.b.m#k TRANSFORMATION
-- edge: h.a.m#m -> h.b.m#v TRANSFORMATION
-- edge: h.a.m#xs -> h.b.m#x TRANSFORMATION
-- completeness: complete

INSERT INTO h.b.m SELECT a.id, t.k, t.v, t.x FROM h.a.m a CROSS JOIN UNNEST(a.m, a.xs) AS t (k, v, x)
