-- columns: S.E(K, V)
-- columns: D.A(K, V)
-- columns: D.B(K, V)
-- edge: S.E#K -> D.A#K IDENTITY
-- edge: S.E#V -> D.A#V IDENTITY
-- edge: S.E#V -> D.A FILTER
-- edge: S.E#K -> D.B#K IDENTITY
-- edge: S.E#V -> D.B#V IDENTITY
-- edge: S.E#V -> D.B FILTER
-- completeness: any

INSERT FIRST
  WHEN v > 100 THEN INTO d.a (k, v) VALUES (k, v)
  ELSE INTO d.b (k, v) VALUES (k, v)
SELECT k, v FROM s.e
