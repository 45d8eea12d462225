-- edge: s3://lake-in:orders/ -> main.bronze.orders TRANSFORMATION
-- completeness: any
-- note: files fill the table as a whole, and are parsed on the way

COPY INTO main.bronze.orders
FROM 's3://lake-in/orders/'
FILEFORMAT = CSV
FORMAT_OPTIONS ('header' = 'true', 'inferSchema' = 'true')
COPY_OPTIONS ('mergeSchema' = 'true');
