-- columns: S.E@PROD(K, V)
-- edge: S.E@PROD#K -> D.A#K IDENTITY
-- completeness: any

INSERT INTO d.a (k) SELECT k FROM s.e@prod
