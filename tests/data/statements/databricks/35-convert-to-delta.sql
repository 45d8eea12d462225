-- completeness: any

CONVERT TO DELTA parquet.`s3://b/x` PARTITIONED BY (d DATE)
