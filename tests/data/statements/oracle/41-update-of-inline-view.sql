-- columns: D.A(K, V)
-- columns: S.E(K, V)
-- edge: S.E#V -> D.A#V IDENTITY
-- edge: S.E#K -> D.A JOIN
-- edge: D.A#K -> D.A JOIN
-- completeness: any

UPDATE (SELECT a.v AS old_v, e.v AS new_v FROM d.a a JOIN s.e e ON a.k = e.k) SET old_v = new_v
