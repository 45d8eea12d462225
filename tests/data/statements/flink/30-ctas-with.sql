-- columns: d.s(a, b)
-- edge: d.s#a -> d.m#a IDENTITY
-- completeness: any

CREATE TABLE d.m WITH ('connector' = 'kafka', 'topic' = 'x') AS SELECT a FROM d.s
