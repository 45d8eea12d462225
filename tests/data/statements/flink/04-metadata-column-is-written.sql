-- edge: d.src#a -> d.sink#a IDENTITY
-- edge: d.src#ts -> d.sink#ts IDENTITY
-- completeness: complete

CREATE TABLE d.sink (a INT, ts TIMESTAMP_LTZ(3) METADATA FROM 'timestamp') WITH ('connector' = 'kafka');
INSERT INTO d.sink SELECT x.a, x.ts FROM d.src AS x;
