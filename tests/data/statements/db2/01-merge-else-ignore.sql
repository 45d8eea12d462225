-- completeness: complete
-- edge: dw.t#id -> dw.t JOIN
-- edge: stg.t#id -> dw.t JOIN
-- edge: stg.t#id -> dw.t#id IDENTITY
-- edge: stg.t#v -> dw.t#v IDENTITY

MERGE INTO dw.t AS t USING (SELECT id, v FROM stg.t) AS s ON t.id = s.id WHEN MATCHED THEN UPDATE SET (v, u) = (s.v, CURRENT TIMESTAMP) WHEN NOT MATCHED THEN INSERT (id, v) VALUES (s.id, s.v) ELSE IGNORE
