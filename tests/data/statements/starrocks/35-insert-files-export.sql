-- columns: d.t(a,b)
-- edge: d.t#a -> s3://b:out/#a IDENTITY
-- edge: d.t#b -> s3://b:out/#b IDENTITY
-- completeness: complete

INSERT INTO FILES ("path" = "s3://b/out/", "format" = "parquet") SELECT a, b FROM d.t
