-- edge: hive.raw.a#id -> hive.dw.a#id IDENTITY
-- edge: hive.raw.a#ts -> hive.dw.a#d TRANSFORMATION
-- edge: hive.raw.a#dt -> hive.dw.a FILTER
-- completeness: any

CREATE TABLE hive.dw.a AS SELECT id, date_format(ts, '%Y-%m-%d') AS d FROM hive.raw.a WHERE dt = '2024-01-01';
