-- columns: stg.m(acct, amt, at)
-- columns: dim.acct(acct, region)
-- columns: dw.m(region, month, amt, n)
-- edge: dim.acct#region -> dw.m#region IDENTITY
-- edge: stg.m#at -> dw.m#month TRANSFORMATION
-- edge: stg.m#amt -> dw.m#amt AGGREGATION
-- edge: dw.m#amt -> dw.m#amt TRANSFORMATION
-- edge: stg.m#amt -> dw.m#n AGGREGATION
-- edge: stg.m#acct -> dw.m JOIN
-- edge: dim.acct#acct -> dw.m JOIN
-- edge: stg.m#at -> dw.m FILTER
-- edge: dim.acct#region -> dw.m GROUP_BY
-- edge: stg.m#at -> dw.m GROUP_BY
-- completeness: complete

WITH fresh AS (
    SELECT acct, amt, date_trunc('month', at) AS month FROM stg.m WHERE at > now() - interval '2 days'
), joined AS (
    SELECT a.region, f.month, f.amt FROM fresh f JOIN dim.acct a ON a.acct = f.acct
)
INSERT INTO dw.m (region, month, amt, n)
SELECT region, month, sum(amt), count(amt) FROM joined GROUP BY region, month
ON CONFLICT (region, month) DO UPDATE
SET amt = dw.m.amt + EXCLUDED.amt, n = EXCLUDED.n;
