-- columns: mart.l(acct, at, bal, prev)
-- edge: dbo.l#acct -> mart.l#acct IDENTITY
-- edge: dbo.l#at -> mart.l#at IDENTITY
-- edge: dbo.l#amt -> mart.l#bal AGGREGATION
-- edge: dbo.l#acct -> mart.l#bal WINDOW
-- edge: dbo.l#at -> mart.l#bal WINDOW
-- edge: dbo.l#amt -> mart.l#prev TRANSFORMATION
-- edge: dbo.l#acct -> mart.l#prev WINDOW
-- edge: dbo.l#at -> mart.l#prev WINDOW
-- completeness: any

INSERT INTO mart.l (acct, at, bal, prev)
SELECT acct, at,
       SUM(amt) OVER (PARTITION BY acct ORDER BY at ROWS UNBOUNDED PRECEDING),
       LAG(amt, 1, 0) OVER (PARTITION BY acct ORDER BY at)
FROM dbo.l;
