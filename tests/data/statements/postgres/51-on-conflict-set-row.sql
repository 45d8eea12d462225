-- columns: d.t(a, b, c)
-- columns: d.s(a, b, c)
-- edge: d.s#a -> d.t#a IDENTITY
-- edge: d.s#b -> d.t#b IDENTITY
-- edge: d.s#c -> d.t#c IDENTITY
-- edge: d.t#c -> d.t FILTER
-- edge: d.s#c -> d.t FILTER
-- completeness: any

INSERT INTO d.t (a, b, c) SELECT a, b, c FROM d.s ON CONFLICT (a) DO UPDATE SET (b, c) = (EXCLUDED.b, EXCLUDED.c) WHERE d.t.c < EXCLUDED.c
