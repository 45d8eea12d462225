-- edge: hive.mart.sales#region -> hive.mart.sales_tot#region TRANSFORMATION
-- edge: hive.mart.sales#store -> hive.mart.sales_tot#store TRANSFORMATION
-- edge: hive.mart.sales#amt -> hive.mart.sales_tot#amt AGGREGATION
-- edge: hive.mart.sales#region -> hive.mart.sales_tot GROUP_BY
-- edge: hive.mart.sales#store -> hive.mart.sales_tot GROUP_BY
-- completeness: any

CREATE TABLE hive.mart.sales_tot AS
SELECT coalesce(region, 'ALL') AS region, coalesce(store, 'ALL') AS store, sum(amt) AS amt
FROM hive.mart.sales
GROUP BY ROLLUP (region, store);
