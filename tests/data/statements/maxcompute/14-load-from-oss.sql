-- edge: oss://bucket:in/orders/ -> ods.orders TRANSFORMATION
-- completeness: any
-- note: files fill the table as a whole

LOAD OVERWRITE TABLE ods.orders PARTITION (ds='20240101')
FROM LOCATION 'oss://bucket/in/orders/'
STORED AS PARQUET;
