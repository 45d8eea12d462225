-- columns: S.A(K,V)
-- columns: D.A(K,V)
-- edge: S.A#K -> D.A#K IDENTITY
-- edge: S.A#V -> D.A#V TRANSFORMATION
-- edge: S.A#K -> D.A JOIN
-- edge: D.A#K -> D.A JOIN
-- completeness: complete

merge into d.a v using (select k, v || '' as v from s.a) s on v.k = s.k
when matched then update set v.v = s.v
when not matched then insert (k, v) values (s.k, s.v);
