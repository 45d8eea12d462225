-- columns: hive.dw.s(a, b, v)
-- edge: hive.dw.s#a -> hive.mart.s#a IDENTITY
-- edge: hive.dw.s#b -> hive.mart.s#b IDENTITY
-- edge: hive.dw.s#v -> hive.mart.s#v AGGREGATION
-- edge: hive.dw.s#a -> hive.mart.s GROUP_BY
-- edge: hive.dw.s#b -> hive.mart.s GROUP_BY
-- completeness: complete

CREATE TABLE hive.mart.s AS SELECT a, b, sum(v) AS v FROM hive.dw.s GROUP BY CUBE (a, b);
