-- edge: hive.raw.c#amt -> hive.dw.c#amt IDENTITY
-- edge: hive.raw.c#code -> hive.dw.c JOIN
-- completeness: any

CREATE TABLE hive.dw.c AS
SELECT m.label, c.amt
FROM hive.raw.c c
JOIN (VALUES ('a', 'Alpha'), ('b', 'Beta')) AS m (code, label) ON m.code = c.code;
