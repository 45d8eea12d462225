-- columns: dbo.o(cid,amt)
-- columns: dbo.c(id,total,tier)
-- edge: dbo.o#amt -> dbo.c#total AGGREGATION
-- edge: dbo.o#amt -> dbo.c#tier CONDITIONAL
-- edge: dbo.o#cid -> dbo.c JOIN
-- edge: dbo.c#id -> dbo.c JOIN
-- edge: dbo.o#cid -> dbo.c GROUP_BY
-- completeness: any

CREATE PROCEDURE dbo.upd_c AS
BEGIN
    SET NOCOUNT ON;
    IF OBJECT_ID('tempdb..#t') IS NOT NULL DROP TABLE #t;
    SELECT cid, SUM(amt) AS total INTO #t FROM dbo.o GROUP BY cid;
    CREATE INDEX ix ON #t (cid);
    UPDATE c SET total = t.total, tier = CASE WHEN t.total > 1000 THEN 'A' ELSE 'B' END
    FROM dbo.c c JOIN #t t ON t.cid = c.id;
END
