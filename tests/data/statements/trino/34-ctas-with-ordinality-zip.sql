-- columns: c.d.s(id, a, b)
-- edge: c.d.s#a -> c.d.t#x IDENTITY
-- edge: c.d.s#b -> c.d.t#y IDENTITY
-- edge: c.d.s#id -> c.d.t#id IDENTITY
-- completeness: any

CREATE TABLE c.d.t AS SELECT id, x, y FROM c.d.s CROSS JOIN UNNEST(a, b) WITH ORDINALITY AS u (x, y, n)
