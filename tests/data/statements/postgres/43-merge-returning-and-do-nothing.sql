-- columns: d.s(k, v)
-- columns: d.t(k, v)
-- edge: d.s#k -> d.t#k IDENTITY
-- edge: d.s#v -> d.t#v IDENTITY
-- edge: d.s#k -> d.t JOIN
-- edge: d.t#k -> d.t JOIN
-- edge: d.s#v -> d.t FILTER
-- completeness: complete

MERGE INTO d.t AS t USING d.s AS s ON t.k = s.k
WHEN MATCHED AND s.v IS NULL THEN DELETE
WHEN MATCHED THEN DO NOTHING
WHEN NOT MATCHED BY TARGET THEN INSERT (k, v) VALUES (s.k, s.v)
WHEN NOT MATCHED BY SOURCE THEN DELETE
