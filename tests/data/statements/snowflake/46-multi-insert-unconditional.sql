-- columns: S.E(K, V)
-- columns: D.A(K)
-- columns: D.B(V)
-- edge: S.E#K -> D.A#K IDENTITY
-- edge: S.E#V -> D.B#V IDENTITY
-- completeness: complete

insert overwrite all into d.a (k) values (k) into d.b (v) values (v) select k, v from s.e;
