-- columns: S.E(K)
-- edge: S.E#K -> D.T#K IDENTITY
-- completeness: any

insert into identifier('d.t') (k) select k from table('s.e');
