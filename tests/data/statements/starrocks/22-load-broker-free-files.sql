-- columns: ods.x(id, v)
-- edge: s3://b:in/x.parquet#id -> ods.x#id IDENTITY
-- edge: s3://b:in/x.parquet#v -> ods.x#v TRANSFORMATION
-- completeness: any

INSERT INTO ods.x (id, v)
SELECT id, CAST(v AS DECIMAL(10,2)) FROM FILES("path" = "s3://b/in/x.parquet", "format" = "parquet");
