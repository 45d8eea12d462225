-- columns: d.t(a, b)
-- edge: d.t#a -> spectrum.t#a IDENTITY
-- edge: d.t#b -> spectrum.t#b IDENTITY
-- completeness: any

CREATE EXTERNAL TABLE spectrum.t PARTITIONED BY (b) STORED AS PARQUET LOCATION 's3://b/x/' AS SELECT a, b FROM d.t
