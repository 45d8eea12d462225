-- columns: d.s(a, b)
-- edge: d.s#a -> d.t#a IDENTITY
-- completeness: complete

INSERT INTO d.t (a) WITH x AS (SELECT a FROM d.s) SELECT a FROM x
