-- edge: s3://b:in/#a -> d.t#a IDENTITY
-- completeness: any

CREATE OR REFRESH STREAMING TABLE d.t AS SELECT a FROM STREAM read_files('s3://b/in/', format => 'json')
