-- columns: ods.z(x, y)
-- edge: ods.z#x -> dw.z#a IDENTITY
-- edge: ods.z#y -> dw.z#b TRANSFORMATION
-- completeness: complete

CREATE TABLE IF NOT EXISTS dw.z (a INT, b BIGINT)
DUPLICATE KEY(a)
DISTRIBUTED BY HASH(a) BUCKETS 1
PROPERTIES ("replication_num" = "1");
INSERT INTO dw.z SELECT x, CAST(y AS BIGINT) FROM ods.z;
