-- edge: dw.a#id -> s3://out:a/#id IDENTITY
-- edge: dw.a#v -> s3://out:a/#v IDENTITY
-- edge: dw.a#k -> s3://out:a/ FILTER
-- completeness: any

UNLOAD (SELECT id, v FROM dw.a WHERE k = 1) TO 's3://out/a/' WITH (format = 'JSON', compression = 'gzip')
