-- columns: dw.o(id, v, ds)
-- edge: dw.o#id -> oss://bucket:out/o/#id IDENTITY
-- edge: dw.o#v -> oss://bucket:out/o/#v IDENTITY
-- edge: dw.o#ds -> oss://bucket:out/o/ FILTER
-- completeness: any

UNLOAD FROM (SELECT id, v FROM dw.o WHERE ds = '1')
INTO LOCATION 'oss://bucket/out/o/'
STORED BY 'com.aliyun.odps.CsvStorageHandler' WITH SERDEPROPERTIES ('odps.text.option.delimiter' = ',');
