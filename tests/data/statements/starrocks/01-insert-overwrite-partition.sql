-- columns: ods.orders(id, cust, amt, dt)
-- columns: dws.cust_day(cust, amt, dt)
-- edge: ods.orders#cust -> dws.cust_day#cust IDENTITY
-- edge: ods.orders#dt -> dws.cust_day#dt IDENTITY
-- edge: ods.orders#amt -> dws.cust_day#amt AGGREGATION
-- edge: ods.orders#dt -> dws.cust_day FILTER
-- edge: ods.orders#cust -> dws.cust_day GROUP_BY
-- edge: ods.orders#dt -> dws.cust_day GROUP_BY
-- completeness: complete

INSERT OVERWRITE dws.cust_day PARTITION (p20240101)
SELECT cust, SUM(amt), dt FROM ods.orders WHERE dt = '2024-01-01' GROUP BY cust, dt;
