-- columns: S.E(K, V)
-- columns: D.T(K, V)
-- edge: S.E#K -> D.T#K IDENTITY
-- edge: S.E#V -> D.T#V IDENTITY
-- edge: S.E#K -> D.T JOIN
-- edge: D.T#K -> D.T JOIN
-- completeness: any

merge into d.t t using s.e e on t.k = e.k when matched then update all by name when not matched then insert all by name;
