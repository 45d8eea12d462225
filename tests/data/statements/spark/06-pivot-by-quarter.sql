-- columns: gold.sales(region, qtr, amt)
-- edge: gold.sales#region -> gold.sales_by_qtr#region IDENTITY
-- edge: gold.sales#amt -> gold.sales_by_qtr#q1 AGGREGATION
-- edge: gold.sales#qtr -> gold.sales_by_qtr#q1 CONDITIONAL
-- edge: gold.sales#amt -> gold.sales_by_qtr#q2 AGGREGATION
-- edge: gold.sales#qtr -> gold.sales_by_qtr#q2 CONDITIONAL
-- edge: gold.sales#region -> gold.sales_by_qtr GROUP_BY
-- completeness: complete
-- note: PIVOT groups by what is left

CREATE TABLE gold.sales_by_qtr AS
SELECT region, q1, q2
FROM (SELECT region, qtr, amt FROM gold.sales)
PIVOT (sum(amt) FOR qtr IN ('Q1' AS q1, 'Q2' AS q2));
