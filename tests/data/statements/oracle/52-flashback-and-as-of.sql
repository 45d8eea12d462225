-- columns: S.E(K, V)
-- edge: S.E#K -> D.A#K IDENTITY
-- completeness: any

INSERT INTO d.a (k) SELECT k FROM s.e AS OF TIMESTAMP (SYSTIMESTAMP - INTERVAL '1' DAY)
