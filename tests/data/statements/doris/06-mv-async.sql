-- columns: dwd.s(shop, amt, dt)
-- edge: dwd.s#shop -> mv.s#shop IDENTITY
-- edge: dwd.s#amt -> mv.s#amt AGGREGATION
-- edge: dwd.s#dt -> mv.s FILTER
-- edge: dwd.s#shop -> mv.s GROUP_BY
-- completeness: complete

CREATE MATERIALIZED VIEW mv.s
BUILD IMMEDIATE REFRESH AUTO ON SCHEDULE EVERY 1 DAY
DISTRIBUTED BY HASH(shop) BUCKETS 2
PROPERTIES ('replication_num' = '1')
AS SELECT shop, SUM(amt) AS amt FROM dwd.s WHERE dt > '2024-01-01' GROUP BY shop;
