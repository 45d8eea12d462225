-- columns: d.t(a, b)
-- edge: d.t#a -> s3://b:u/#a IDENTITY
-- edge: d.t#b -> s3://b:u/ FILTER
-- completeness: any

UNLOAD ('SELECT a FROM d.t WHERE b = ''x''') TO 's3://b/u/' IAM_ROLE default PARQUET PARTITION BY (a)
