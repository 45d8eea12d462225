-- columns: S.E(K, V)
-- edge: S.E#K -> D.T#K IDENTITY
-- edge: S.E#V -> D.T#V AGGREGATION
-- edge: S.E#K -> D.T GROUP_BY
-- completeness: any

create or replace task d.tk warehouse = wh after d.root when system$stream_has_data('S.E_STREAM')
as insert overwrite into d.t (k, v) select k, sum(v) from s.e group by k;
