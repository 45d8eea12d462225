-- columns: hive.stg.x(id, v)
-- columns: hive.dw.x(id, v)
-- edge: hive.stg.x#id -> hive.dw.x#id IDENTITY
-- edge: hive.stg.x#v -> hive.dw.x#v IDENTITY
-- edge: hive.stg.x#id -> hive.dw.x FILTER
-- edge: hive.dw.x#id -> hive.dw.x FILTER
-- completeness: complete

INSERT INTO hive.dw.x SELECT id, v FROM hive.stg.x WHERE id NOT IN (SELECT id FROM hive.dw.x);
