-- columns: S.E(K, V)
-- columns: D.A(K, V)
-- edge: S.E#K -> D.A#K IDENTITY
-- edge: S.E#V -> D.A#V IDENTITY
-- edge: S.E#K -> D.A JOIN
-- edge: D.A#K -> D.A JOIN
-- completeness: any

MERGE INTO d.a a USING s.e e ON (a.k = e.k)
WHEN MATCHED THEN UPDATE SET a.v = e.v
WHEN NOT MATCHED THEN INSERT VALUES (e.k, e.v)
LOG ERRORS INTO d.err ('run1') REJECT LIMIT UNLIMITED
