-- columns: d.t(a, b)
-- edge: d.t#a -> file:/out/t.csv#a IDENTITY
-- edge: d.t#b -> file:/out/t.csv#b IDENTITY
-- completeness: any

SELECT a, b INTO OUTFILE '/out/t.csv' FIELDS TERMINATED BY ',' FROM d.t
