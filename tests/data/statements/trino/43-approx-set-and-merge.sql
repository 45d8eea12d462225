-- columns: hive.dw.hll(d, site, s)
-- columns: hive.raw.v(d, site, uid)
-- edge: hive.dw.hll#s -> hive.rpt.uv#uv AGGREGATION
-- edge: hive.dw.hll#site -> hive.rpt.uv GROUP_BY
-- edge: hive.dw.hll#site -> hive.rpt.uv#site IDENTITY
-- edge: hive.raw.v#d -> hive.dw.hll FILTER
-- edge: hive.raw.v#d -> hive.dw.hll GROUP_BY
-- edge: hive.raw.v#d -> hive.dw.hll#d IDENTITY
-- edge: hive.raw.v#site -> hive.dw.hll GROUP_BY
-- edge: hive.raw.v#site -> hive.dw.hll#site IDENTITY
-- edge: hive.raw.v#uid -> hive.dw.hll#s AGGREGATION
-- completeness: complete

INSERT INTO hive.dw.hll SELECT d, site, CAST(approx_set(uid) AS varbinary) FROM hive.raw.v WHERE d = date '2024-06-01' GROUP BY d, site;
CREATE TABLE hive.rpt.uv AS SELECT site, cardinality(merge(CAST(s AS HyperLogLog))) AS uv FROM hive.dw.hll GROUP BY site;
