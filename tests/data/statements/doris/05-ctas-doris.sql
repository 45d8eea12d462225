-- edge: ods.a#k -> dw.a#k IDENTITY
-- edge: ods.a#v -> dw.a#v2 TRANSFORMATION
-- completeness: any

CREATE TABLE dw.a
PROPERTIES ("replication_num" = "1")
AS SELECT k, v + 1 AS v2 FROM ods.a;
