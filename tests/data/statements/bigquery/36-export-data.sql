-- columns: p.d.t(a, b)
-- edge: p.d.t#a -> gs://b:x/*.csv#a IDENTITY
-- completeness: any

EXPORT DATA OPTIONS (uri = 'gs://b/x/*.csv', format = 'CSV', overwrite = true) AS SELECT a FROM `p.d.t`
