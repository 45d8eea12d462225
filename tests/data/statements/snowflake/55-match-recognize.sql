-- columns: S.E(K, TS, P)
-- edge: S.E#K -> D.T GROUP_BY
-- edge: S.E#K -> D.T#K IDENTITY
-- edge: S.E#P -> D.T FILTER
-- edge: S.E#TS -> D.T SORT
-- edge: S.E#TS -> D.T#T0 AGGREGATION
-- completeness: any

create table d.t as select k, t0 from s.e match_recognize (partition by k order by ts measures first(ts) as t0 one row per match pattern (a b+) define b as p > lag(p));
