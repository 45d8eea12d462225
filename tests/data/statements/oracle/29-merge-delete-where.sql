-- columns: S.A(ID,N,DEL)
-- columns: D.B(ID,N)
-- edge: S.A#ID -> D.B#ID IDENTITY
-- edge: S.A#N -> D.B#N IDENTITY
-- edge: S.A#ID -> D.B JOIN
-- edge: D.B#ID -> D.B JOIN
-- edge: S.A#DEL -> D.B FILTER
-- completeness: complete

MERGE INTO d.b b USING s.a a ON (b.id = a.id) WHEN MATCHED THEN UPDATE SET b.n = a.n DELETE WHERE a.del = 'Y' WHEN NOT MATCHED THEN INSERT (id, n) VALUES (a.id, a.n)
