-- edge: s3://lake-in:orders/ -> main.bronze.orders IDENTITY
-- completeness: any

COPY INTO main.bronze.orders
FROM 's3://lake-in/orders/'
FILEFORMAT = CSV
FORMAT_OPTIONS ('header' = 'true', 'inferSchema' = 'true')
COPY_OPTIONS ('mergeSchema' = 'true');
