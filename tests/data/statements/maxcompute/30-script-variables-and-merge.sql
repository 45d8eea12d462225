-- columns: p.s(id,v,ds)
-- columns: p.t(id,v)
-- edge: p.s#id -> p.t#id IDENTITY
-- edge: p.s#v -> p.t#v IDENTITY
-- edge: p.s#id -> p.t JOIN
-- edge: p.t#id -> p.t JOIN
-- edge: p.s#ds -> p.t FILTER
-- completeness: complete

@src := SELECT id, v FROM p.s WHERE ds = '20240101';
MERGE INTO p.t t USING @src s ON t.id = s.id WHEN MATCHED THEN UPDATE SET t.v = s.v WHEN NOT MATCHED THEN INSERT VALUES (s.id, s.v);
