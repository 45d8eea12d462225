-- edge: hdfs://nn:landing/orders/20240101 -> ods.orders IDENTITY
-- completeness: any

LOAD DATA INPATH 'hdfs://nn/landing/orders/20240101' OVERWRITE INTO TABLE ods.orders PARTITION (dt='20240101');
