-- columns: d.s(a, b)
-- edge: d.s#a -> file:/out/x#a IDENTITY
-- completeness: any

INSERT OVERWRITE DIRECTORY '/out/x' USING parquet SELECT a FROM d.s
