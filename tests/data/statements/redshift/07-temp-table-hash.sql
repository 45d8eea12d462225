-- columns: mart.first(uid, ts)
-- edge: raw.e#uid -> mart.first#uid IDENTITY
-- edge: raw.e#ts -> mart.first#ts AGGREGATION
-- edge: raw.e#ev -> mart.first FILTER
-- edge: raw.e#uid -> mart.first GROUP_BY
-- completeness: any

CREATE TEMP TABLE f (uid BIGINT, ts TIMESTAMP);
INSERT INTO f SELECT uid, min(ts) FROM raw.e WHERE ev = 'signup' GROUP BY uid;
INSERT INTO mart.first SELECT uid, ts FROM f;
DROP TABLE f;
