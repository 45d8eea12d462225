-- edge: s3://lake:orders/2024/ -> raw.orders TRANSFORMATION
-- completeness: any
-- note: files fill the table as a whole, and are parsed on the way

COPY raw.orders
FROM 's3://lake/orders/2024/'
IAM_ROLE 'arn:aws:iam::123456789012:role/load'
FORMAT AS PARQUET;
