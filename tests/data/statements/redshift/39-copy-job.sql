-- edge: s3://b:in/ -> d.t TRANSFORMATION
-- completeness: any

COPY d.t FROM 's3://b/in/' IAM_ROLE default FORMAT PARQUET JOB CREATE j AUTO ON
