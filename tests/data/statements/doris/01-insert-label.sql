-- columns: ods.o(id, cust, amt, st)
-- columns: dws.o(cust, amt, n)
-- edge: ods.o#cust -> dws.o#cust IDENTITY
-- edge: ods.o#amt -> dws.o#amt AGGREGATION
-- edge: ods.o#id -> dws.o#n AGGREGATION
-- edge: ods.o#st -> dws.o FILTER
-- edge: ods.o#cust -> dws.o GROUP_BY
-- completeness: complete

INSERT INTO dws.o WITH LABEL load_o_20240101 (cust, amt, n)
SELECT cust, SUM(amt), COUNT(id) FROM ods.o WHERE st = 'OK' GROUP BY cust;
