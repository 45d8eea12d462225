-- columns: dws.sales(region, product, qty, amount)
-- columns: rpt.sales_cube(region, product, qty, amount)
-- edge: dws.sales#region -> rpt.sales_cube#region IDENTITY
-- edge: dws.sales#product -> rpt.sales_cube#product IDENTITY
-- edge: dws.sales#qty -> rpt.sales_cube#qty AGGREGATION
-- edge: dws.sales#amount -> rpt.sales_cube#amount AGGREGATION
-- edge: dws.sales#region -> rpt.sales_cube GROUP_BY
-- edge: dws.sales#product -> rpt.sales_cube GROUP_BY
-- completeness: complete

INSERT OVERWRITE TABLE rpt.sales_cube
SELECT region, product, sum(qty), sum(amount)
FROM dws.sales
GROUP BY region, product
GROUPING SETS ((region, product), (region), ());
