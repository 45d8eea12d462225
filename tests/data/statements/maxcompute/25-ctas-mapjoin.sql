-- columns: p.a(id,x)
-- columns: p.b(id,y)
-- edge: p.a#id -> p.c#id IDENTITY
-- edge: p.a#x -> p.c#x IDENTITY
-- edge: p.b#y -> p.c#y IDENTITY
-- edge: p.a#id -> p.c JOIN
-- edge: p.b#id -> p.c JOIN
-- completeness: complete

CREATE TABLE IF NOT EXISTS p.c LIFECYCLE 30 AS SELECT /*+ MAPJOIN(b) */ a.id, a.x, b.y FROM p.a a LEFT OUTER JOIN p.b b ON a.id = b.id
