-- columns: dbo.s(id,v,ts)
-- columns: dbo.t(id,v)
-- edge: dbo.s#id -> dbo.t#id IDENTITY
-- edge: dbo.s#v -> dbo.t#v IDENTITY
-- edge: dbo.s#id -> dbo.t JOIN
-- edge: dbo.t#id -> dbo.t JOIN
-- edge: dbo.s#id -> dbo.t FILTER
-- edge: dbo.s#ts -> dbo.t FILTER
-- completeness: complete

WITH src AS (
    SELECT id, v, ROW_NUMBER() OVER (PARTITION BY id ORDER BY ts DESC) AS rn FROM dbo.s
)
MERGE dbo.t WITH (HOLDLOCK) AS t
USING (SELECT id, v FROM src WHERE rn = 1) AS s ON t.id = s.id
WHEN MATCHED THEN UPDATE SET v = s.v
WHEN NOT MATCHED THEN INSERT (id, v) VALUES (s.id, s.v)
WHEN NOT MATCHED BY SOURCE THEN DELETE;
