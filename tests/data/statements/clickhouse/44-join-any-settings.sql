-- columns: d.a(k, v)
-- columns: d.b(k, w)
-- edge: d.a#k -> d.t#k IDENTITY
-- edge: d.b#w -> d.t#w IDENTITY
-- edge: d.a#k -> d.t JOIN
-- edge: d.b#k -> d.t JOIN
-- completeness: complete

INSERT INTO d.t (k, w) SETTINGS async_insert = 1 SELECT a.k AS k, b.w AS w FROM d.a AS a ANY LEFT JOIN d.b AS b ON a.k = b.k SETTINGS join_use_nulls = 1
