-- edge: d.src#a -> d.o#a IDENTITY
-- edge: d.src#twice -> d.o#twice IDENTITY
-- edge: d.src#b -> d.o#b IDENTITY
-- edge: d.src#a -> d.src#twice TRANSFORMATION
-- completeness: complete

CREATE TABLE d.src (a INT, twice AS a * 2, b STRING) WITH ('connector' = 'datagen');
CREATE TABLE d.o WITH ('connector' = 'blackhole') AS SELECT * FROM d.src;
