-- columns: S.E(K, V)
-- edge: S.E#K -> S.E_STREAM#K IDENTITY
-- edge: S.E#V -> S.E_STREAM#V IDENTITY
-- edge: S.E_STREAM#K -> D.T#K IDENTITY
-- edge: S.E_STREAM#METADATA$ACTION -> D.T FILTER
-- completeness: any
-- note: the stream has the columns of its table

create or replace stream s.e_stream on table s.e append_only = true;
insert into d.t (k) select k from s.e_stream where metadata$action = 'INSERT';
