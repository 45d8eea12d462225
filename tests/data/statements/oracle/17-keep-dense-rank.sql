-- columns: RAW.T(K, V, TS)
-- columns: MART.T(K, V)
-- edge: RAW.T#K -> MART.T#K IDENTITY
-- edge: RAW.T#V -> MART.T#V AGGREGATION
-- edge: RAW.T#TS -> MART.T#V SORT
-- edge: RAW.T#K -> MART.T GROUP_BY
-- completeness: complete
-- note: KEEP orders the rows of the group that are aggregated

INSERT INTO mart.t (k, v)
SELECT k, MAX(v) KEEP (DENSE_RANK LAST ORDER BY ts) FROM raw.t GROUP BY k;
