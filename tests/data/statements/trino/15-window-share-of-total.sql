-- columns: hive.dw.sales(dept, emp, amt)
-- edge: hive.dw.sales#dept -> hive.mart.share#dept IDENTITY
-- edge: hive.dw.sales#emp -> hive.mart.share#emp IDENTITY
-- edge: hive.dw.sales#amt -> hive.mart.share#pct TRANSFORMATION
-- edge: hive.dw.sales#amt -> hive.mart.share#pct AGGREGATION
-- edge: hive.dw.sales#dept -> hive.mart.share#pct WINDOW
-- completeness: complete

CREATE TABLE hive.mart.share AS
SELECT dept, emp, amt * 100.0 / sum(amt) OVER (PARTITION BY dept) AS pct
FROM hive.dw.sales;
