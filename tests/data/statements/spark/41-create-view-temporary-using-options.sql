-- columns: d.o(a,b)
-- edge: s3://b:in/x.parquet#a -> d.o#a IDENTITY
-- edge: s3://b:in/x.parquet#b -> d.o#b IDENTITY
-- edge: s3://b:in/x.parquet#b -> d.o FILTER
-- completeness: complete

CREATE OR REPLACE TEMPORARY VIEW v USING parquet OPTIONS (path 's3://b/in/x.parquet');
INSERT INTO d.o SELECT a, b FROM v WHERE b > 0;
