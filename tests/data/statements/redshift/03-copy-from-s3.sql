-- edge: s3://lake:orders/2024/ -> raw.orders IDENTITY
-- completeness: any

COPY raw.orders
FROM 's3://lake/orders/2024/'
IAM_ROLE 'arn:aws:iam::123456789012:role/load'
FORMAT AS PARQUET;
