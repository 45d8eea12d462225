-- columns: raw.a(k, v)
-- edge: raw.a#k -> dw.a#k IDENTITY
-- edge: raw.a#v -> dw.a#m AGGREGATION
-- edge: raw.a#k -> dw.a GROUP_BY
-- completeness: complete

CREATE TABLE dw.a ON CLUSTER main
ENGINE = ReplicatedMergeTree('/t/{shard}', '{replica}')
ORDER BY k
AS SELECT k, avg(v) AS m FROM raw.a GROUP BY k;
