-- edge: s3://b:in/ -> d.t TRANSFORMATION
-- completeness: any

COPY d.t (a, b) FROM 's3://b/in/' IAM_ROLE 'arn:aws:iam::1:role/x' FORMAT AS JSON 'auto' TIMEFORMAT 'auto'
