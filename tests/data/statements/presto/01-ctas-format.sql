-- columns: hive.raw.e(uid, ev, ts)
-- edge: hive.raw.e#uid -> hive.mart.e#uid IDENTITY
-- edge: hive.raw.e#ev -> hive.mart.e#n AGGREGATION
-- edge: hive.raw.e#ts -> hive.mart.e FILTER
-- edge: hive.raw.e#uid -> hive.mart.e GROUP_BY
-- completeness: complete

CREATE TABLE hive.mart.e WITH (format = 'ORC', partitioned_by = ARRAY['n']) AS
SELECT uid, count(ev) AS n FROM hive.raw.e WHERE ts > date '2024-01-01' GROUP BY uid;
