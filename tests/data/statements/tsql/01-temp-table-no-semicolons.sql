-- columns: dbo.orders(id, cust_id, amt, placed)
-- columns: mart.cust_total(cust_id, total)
-- edge: dbo.orders#cust_id -> mart.cust_total#cust_id IDENTITY
-- edge: dbo.orders#amt -> mart.cust_total#total AGGREGATION
-- edge: dbo.orders#placed -> mart.cust_total FILTER
-- edge: dbo.orders#cust_id -> mart.cust_total GROUP_BY
-- completeness: complete

SET NOCOUNT ON
DECLARE @since date = '2024-01-01'

SELECT cust_id, SUM(amt) AS total
INTO #agg
FROM dbo.orders
WHERE placed >= @since
GROUP BY cust_id

TRUNCATE TABLE mart.cust_total

INSERT INTO mart.cust_total (cust_id, total)
SELECT cust_id, total FROM #agg

DROP TABLE #agg
