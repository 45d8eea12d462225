-- columns: p.s.a(k,v,w)
-- edge: p.s.a#k -> p.d.b#k IDENTITY
-- edge: p.s.a#w -> p.d.b#w TRANSFORMATION
-- completeness: complete

CREATE TABLE p.d.b AS SELECT * EXCEPT (v) REPLACE (w * 2 AS w) FROM p.s.a
