-- columns: ods.y(a, b)
-- edge: s3://b:in/y.csv#c1 -> ods.y#a IDENTITY
-- edge: s3://b:in/y.csv#c2 -> ods.y#b IDENTITY
-- completeness: any

INSERT INTO ods.y (a, b)
SELECT c1, c2 FROM S3("uri" = "s3://b/in/y.csv", "format" = "csv");
