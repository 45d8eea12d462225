-- edge: d.src#a -> d.sink#a IDENTITY
-- edge: d.src#b -> d.sink#b IDENTITY
-- edge: d.sink#a -> d.sink#total TRANSFORMATION
-- completeness: complete
-- note: by position only columns that can be written count

CREATE TABLE d.sink (
  a INT,
  total AS a * 2,
  part INT METADATA FROM 'partition' VIRTUAL,
  b STRING
) WITH ('connector' = 'kafka');
INSERT INTO d.sink SELECT x.a, x.b FROM d.src AS x;
