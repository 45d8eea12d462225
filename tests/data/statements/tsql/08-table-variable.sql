-- columns: dbo.e(uid, ts)
-- columns: mart.e(uid, first_ts)
-- edge: dbo.e#uid -> mart.e#uid IDENTITY
-- edge: dbo.e#ts -> mart.e#first_ts AGGREGATION
-- edge: dbo.e#uid -> mart.e GROUP_BY
-- completeness: complete

DECLARE @f TABLE (uid int, ts datetime);
INSERT INTO @f (uid, ts) SELECT uid, MIN(ts) FROM dbo.e GROUP BY uid;
INSERT INTO mart.e (uid, first_ts) SELECT f.uid, f.ts FROM @f AS f;
