-- columns: S.E(K, V)
-- edge: S.E#K -> D.M#K IDENTITY
-- edge: S.E#V -> D.M#SV AGGREGATION
-- edge: S.E#K -> D.M GROUP_BY
-- completeness: any

create or replace secure materialized view d.m cluster by (k) as select k, sum(v) sv from s.e group by k;
