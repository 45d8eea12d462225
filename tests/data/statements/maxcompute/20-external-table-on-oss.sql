-- edge: ods.csv#id -> dw.o#id IDENTITY
-- edge: ods.csv#name -> dw.o#name IDENTITY
-- completeness: any

CREATE EXTERNAL TABLE IF NOT EXISTS ods.csv (id BIGINT, name STRING)
STORED BY 'com.aliyun.odps.CsvStorageHandler'
WITH SERDEPROPERTIES ('odps.properties.rolearn' = 'acs:ram::1:role/x')
LOCATION 'oss://oss-cn/bucket/dir/';
INSERT OVERWRITE TABLE dw.o SELECT * FROM ods.csv;
