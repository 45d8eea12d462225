-- columns: ods.orders(id, uid, amt, ds)
-- columns: dwd.orders(id, uid, amt, ds)
-- edge: ods.orders#id -> dwd.orders#id IDENTITY
-- edge: ods.orders#uid -> dwd.orders#uid IDENTITY
-- edge: ods.orders#amt -> dwd.orders#amt TRANSFORMATION
-- edge: ods.orders#ds -> dwd.orders FILTER
-- completeness: complete

SET odps.sql.type.system.odps2=true;
SET odps.sql.mapper.split.size=64;
INSERT OVERWRITE TABLE dwd.orders PARTITION (ds='20240101')
SELECT id, uid, CAST(amt AS DECIMAL(10,2)) + 0.01BD FROM ods.orders WHERE ds = '20240101';
