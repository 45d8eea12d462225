-- columns: d.hive_sink(id, v, dt, hr)
-- columns: d.s(id, v, ts)
-- edge: d.s#id -> d.hive_sink#id IDENTITY
-- edge: d.s#v -> d.hive_sink#v IDENTITY
-- edge: d.s#ts -> d.hive_sink#hr TRANSFORMATION
-- completeness: complete

INSERT OVERWRITE d.hive_sink PARTITION (dt = '2024-01-01')
SELECT id, v, DATE_FORMAT(ts, 'HH') FROM d.s;
