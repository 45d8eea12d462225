-- edge: DW.S#DEPT -> MART.S#DEPT IDENTITY
-- edge: DW.S#EMP -> MART.S#EMP IDENTITY
-- edge: DW.S#SAL -> MART.S#SAL IDENTITY
-- edge: DW.S#SAL -> MART.S#PCT TRANSFORMATION
-- edge: DW.S#SAL -> MART.S#PCT AGGREGATION
-- edge: DW.S#DEPT -> MART.S#PCT WINDOW
-- edge: DW.S#DEPT -> MART.S FILTER
-- edge: DW.S#SAL -> MART.S FILTER
-- completeness: any

CREATE TABLE mart.s AS
WITH r AS (
  SELECT dept, emp, sal,
         sal / SUM(sal) OVER (PARTITION BY dept) AS pct,
         RANK() OVER (PARTITION BY dept ORDER BY sal DESC) AS rk
  FROM dw.s
)
SELECT dept, emp, sal, pct FROM r WHERE rk <= 5;
