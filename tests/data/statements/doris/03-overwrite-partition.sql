-- columns: ods.d(id, v, dt)
-- columns: dwd.d(id, v, dt)
-- edge: ods.d#id -> dwd.d#id IDENTITY
-- edge: ods.d#v -> dwd.d#v IDENTITY
-- edge: ods.d#dt -> dwd.d#dt IDENTITY
-- edge: ods.d#dt -> dwd.d FILTER
-- completeness: complete

INSERT OVERWRITE TABLE dwd.d PARTITION (p202401) SELECT id, v, dt FROM ods.d WHERE dt >= '2024-01-01';
