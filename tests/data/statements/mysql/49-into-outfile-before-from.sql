-- completeness: complete
-- edge: dw.o#id -> file:/tmp/o.csv#id IDENTITY
-- edge: dw.o#v -> file:/tmp/o.csv FILTER
-- edge: dw.o#v -> file:/tmp/o.csv#v IDENTITY

SELECT id, v INTO OUTFILE '/tmp/o.csv' FIELDS TERMINATED BY ',' FROM dw.o WHERE v > 1
