-- columns: S.E(K, V)
-- edge: S.E#K -> D.T#K IDENTITY
-- edge: S.E#V -> D.T#V IDENTITY
-- completeness: any
-- note: after the swap T has what T_NEW had; the old T goes away under the other name

create or replace table d.t_new as select k, v from s.e;
alter table d.t_new swap with d.t;
drop table d.t_new;
