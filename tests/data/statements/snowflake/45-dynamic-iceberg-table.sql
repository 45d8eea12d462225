-- columns: S.E(K, V)
-- edge: S.E#K -> D.DT#K IDENTITY
-- edge: S.E#V -> D.DT#MV AGGREGATION
-- edge: S.E#K -> D.DT GROUP_BY
-- completeness: any

create or replace dynamic iceberg table d.dt (k, mv) target_lag = '20 minutes' warehouse = w external_volume = 'v' catalog = 'SNOWFLAKE' base_location = 'x'
as select k, max(v) from s.e group by k;
