-- columns: S.E(K, V)
-- edge: S.E#K -> D.A#K IDENTITY
-- edge: S.E#V -> D.A FILTER
-- completeness: any

INSERT INTO d.a (k) SELECT k FROM s.e WHERE v = '&&day'
