-- edge: hdfs://nn:landing/orders/20240101 -> ods.orders TRANSFORMATION
-- completeness: any
-- note: files fill the table as a whole, and are parsed on the way

LOAD DATA INPATH 'hdfs://nn/landing/orders/20240101' OVERWRITE INTO TABLE ods.orders PARTITION (dt='20240101');
