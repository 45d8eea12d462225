-- columns: MART.T(K, V)
-- edge: RAW.T#K -> MART.T#K IDENTITY
-- edge: RAW.T#V -> MART.T#V AGGREGATION
-- edge: RAW.T#TS -> MART.T#V WINDOW
-- edge: RAW.T#K -> MART.T GROUP_BY
-- completeness: any
-- note: KEEP takes the last rows of the group in an order, as a window does

INSERT INTO mart.t (k, v)
SELECT k, MAX(v) KEEP (DENSE_RANK LAST ORDER BY ts) FROM raw.t GROUP BY k;
