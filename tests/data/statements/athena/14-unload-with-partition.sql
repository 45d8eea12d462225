-- columns: d.t(a, b)
-- edge: d.t#a -> s3://b:u/#a IDENTITY
-- completeness: any

UNLOAD (SELECT a FROM d.t) TO 's3://b/u/' WITH (format = 'PARQUET', compression = 'SNAPPY')
