-- columns: hive.raw.k(g, k, v, o)
-- edge: hive.raw.k#g -> hive.mart.k#g IDENTITY
-- edge: hive.raw.k#k -> hive.mart.k#m AGGREGATION
-- edge: hive.raw.k#v -> hive.mart.k#m AGGREGATION
-- edge: hive.raw.k#v -> hive.mart.k#l AGGREGATION
-- edge: hive.raw.k#o -> hive.mart.k#l SORT
-- edge: hive.raw.k#g -> hive.mart.k GROUP_BY
-- completeness: complete

CREATE TABLE hive.mart.k AS
SELECT g, map_agg(k, v) AS m, array_agg(v ORDER BY o) AS l FROM hive.raw.k GROUP BY g;
