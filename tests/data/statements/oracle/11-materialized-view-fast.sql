-- columns: DW.O(CUST, AMT)
-- columns: DW.C(ID, SEG)
-- edge: DW.C#SEG -> MART.MV#SEG IDENTITY
-- edge: DW.O#AMT -> MART.MV#AMT AGGREGATION
-- edge: DW.O#CUST -> MART.MV JOIN
-- edge: DW.C#ID -> MART.MV JOIN
-- edge: DW.C#SEG -> MART.MV GROUP_BY
-- completeness: complete

CREATE MATERIALIZED VIEW mart.mv
BUILD IMMEDIATE
REFRESH COMPLETE ON DEMAND
AS
SELECT c.seg, SUM(o.amt) AS amt
FROM dw.o o JOIN dw.c c ON c.id = o.cust
GROUP BY c.seg;
