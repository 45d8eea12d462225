-- columns: raw.p(id, v)
-- edge: s3://data:in/p.parquet#id -> raw.p#id IDENTITY
-- edge: s3://data:in/p.parquet#v -> raw.p#v TRANSFORMATION
-- completeness: any

INSERT INTO raw.p
SELECT id, toFloat64(v) FROM s3('s3://data/in/p.parquet', 'Parquet');
