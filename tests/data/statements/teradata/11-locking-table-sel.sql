-- columns: raw.o(o_id, o_dt, amt, st)
-- columns: dw.o(o_id, mth, amt)
-- edge: raw.o#amt -> dw.o#amt TRANSFORMATION
-- edge: raw.o#o_dt -> dw.o FILTER
-- edge: raw.o#o_dt -> dw.o#mth TRANSFORMATION
-- edge: raw.o#o_id -> dw.o#o_id IDENTITY
-- edge: raw.o#st -> dw.o FILTER
-- completeness: complete

LOCKING TABLE raw.o FOR ACCESS
INSERT INTO dw.o (o_id, mth, amt)
SEL o_id, CAST(CAST(o_dt AS FORMAT 'YYYYMM') AS CHAR(6)), ZEROIFNULL(amt)
FROM raw.o
WHERE st NE 'X' AND o_dt GE DATE '2024-01-01';
