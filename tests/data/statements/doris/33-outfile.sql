-- columns: d.s(a)
-- edge: d.s#a -> s3://b:x/#a IDENTITY
-- completeness: any

SELECT a FROM d.s INTO OUTFILE "s3://b/x/" FORMAT AS PARQUET PROPERTIES ("s3.endpoint" = "e")
