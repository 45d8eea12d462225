-- columns: dw.o(id, amt, day)
-- edge: dw.o#id -> s3://out:o/#id IDENTITY
-- edge: dw.o#amt -> s3://out:o/#amt IDENTITY
-- edge: dw.o#day -> s3://out:o/ FILTER
-- completeness: complete

UNLOAD ('SELECT id, amt FROM dw.o WHERE day = ''2024-01-01''')
TO 's3://out/o/'
IAM_ROLE 'arn:aws:iam::123456789012:role/x'
FORMAT PARQUET ALLOWOVERWRITE;
