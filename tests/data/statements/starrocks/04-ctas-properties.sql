-- edge: ods.p#sku -> dim.p#sku IDENTITY
-- edge: ods.p#nm -> dim.p#nm TRANSFORMATION
-- edge: ods.p#price -> dim.p#price IDENTITY
-- edge: ods.p#price -> dim.p FILTER
-- completeness: any

CREATE TABLE dim.p
DISTRIBUTED BY HASH(sku) BUCKETS 4
PROPERTIES ("replication_num" = "1")
AS SELECT sku, UPPER(nm) AS nm, price FROM ods.p WHERE price > 0;
