-- edge: dw.o#amt -> rpt.v#tot AGGREGATION
-- edge: dw.o#cust_id -> rpt.v GROUP_BY
-- edge: dw.o#cust_id -> rpt.v#cust IDENTITY
-- completeness: complete

REPLACE VIEW rpt.v AS
LOCKING dw.o FOR ACCESS
SELECT cust_id AS cust, SUM(amt) (DECIMAL(18,2)) AS tot
FROM dw.o
GROUP BY 1;
