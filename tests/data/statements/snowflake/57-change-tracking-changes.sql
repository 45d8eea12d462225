-- columns: S.E(K, V)
-- edge: S.E#K -> D.T#K IDENTITY
-- edge: S.E#METADATA$ACTION -> D.T FILTER
-- completeness: any

insert into d.t (k) select k from s.e changes(information => default) at (timestamp => '2024-01-01'::timestamp_ltz) where metadata$action = 'INSERT';
