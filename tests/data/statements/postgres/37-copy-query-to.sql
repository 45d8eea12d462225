-- columns: d.t(a, b)
-- edge: d.t#a -> file:/out/t.csv#a IDENTITY
-- edge: d.t#b -> file:/out/t.csv FILTER
-- completeness: any

COPY (SELECT a FROM d.t WHERE b > 0) TO '/out/t.csv' WITH (FORMAT csv)
