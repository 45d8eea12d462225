-- note: count(amt)
-- columns: dw.o(cust, st, amt, d)
-- edge: dw.o#amt -> mart.c#n AGGREGATION
-- edge: dw.o#amt -> mart.c#open AGGREGATION
-- edge: dw.o#cust -> mart.c GROUP_BY
-- edge: dw.o#cust -> mart.c#cust IDENTITY
-- edge: dw.o#d -> mart.c FILTER
-- edge: dw.o#d -> mart.c#last AGGREGATION
-- edge: dw.o#st -> mart.c#open CONDITIONAL
-- completeness: complete

CREATE MACRO dw.recent(n) AS TABLE SELECT * FROM dw.o WHERE d > current_date - n;
CREATE TABLE mart.c AS
SELECT cust, sum(amt) FILTER (st = 'open') AS open, count(amt) AS n, max(d) AS last FROM dw.recent(30) GROUP BY ALL;
