-- columns: dw.m(id, v)
-- columns: stg.m(id, v, op)
-- edge: dw.m#id -> dw.m JOIN
-- edge: stg.m#id -> dw.m JOIN
-- edge: stg.m#id -> dw.m#id IDENTITY
-- edge: stg.m#op -> dw.m FILTER
-- edge: stg.m#v -> dw.m#v IDENTITY
-- completeness: complete

BT;
MERGE INTO dw.m AS t
USING (SELECT id, v FROM stg.m WHERE op = 'U') AS s (id, v)
ON t.id = s.id
WHEN MATCHED THEN UPDATE SET v = s.v
WHEN NOT MATCHED THEN INSERT VALUES (s.id, s.v);
ET;
