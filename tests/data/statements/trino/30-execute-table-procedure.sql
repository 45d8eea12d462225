-- edge: s3://b:x -> c.d.t TRANSFORMATION
-- completeness: any

ALTER TABLE c.d.t EXECUTE add_files(location => 's3://b/x', format => 'ORC')
