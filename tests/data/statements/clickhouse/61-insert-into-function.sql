-- completeness: complete
-- edge: dw.t#id -> s3://b:out.parquet#id IDENTITY
-- edge: dw.t#v -> s3://b:out.parquet FILTER
-- edge: dw.t#v -> s3://b:out.parquet#v IDENTITY

INSERT INTO FUNCTION s3('s3://b/out.parquet', 'Parquet') SELECT id, v FROM dw.t WHERE v > 1
