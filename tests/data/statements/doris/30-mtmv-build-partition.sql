-- columns: d.s(a, dt, v)
-- edge: d.s#a -> d.m#a IDENTITY
-- edge: d.s#dt -> d.m#dt IDENTITY
-- edge: d.s#v -> d.m#sv AGGREGATION
-- edge: d.s#a -> d.m GROUP_BY
-- edge: d.s#dt -> d.m GROUP_BY
-- completeness: any

CREATE MATERIALIZED VIEW d.m BUILD DEFERRED REFRESH AUTO ON SCHEDULE EVERY 1 HOUR PARTITION BY (dt) DISTRIBUTED BY HASH(a) BUCKETS 4 PROPERTIES ('replication_num' = '1') AS SELECT a, dt, sum(v) AS sv FROM d.s GROUP BY a, dt
