-- columns: shop.s(region, prod, amt)
-- columns: rpt.s(region, prod, amt)
-- edge: shop.s#region -> rpt.s#region IDENTITY
-- edge: shop.s#prod -> rpt.s#prod IDENTITY
-- edge: shop.s#amt -> rpt.s#amt AGGREGATION
-- edge: shop.s#region -> rpt.s GROUP_BY
-- edge: shop.s#prod -> rpt.s GROUP_BY
-- completeness: complete

INSERT INTO rpt.s
SELECT region, prod, SUM(amt) FROM shop.s GROUP BY region, prod WITH ROLLUP;
