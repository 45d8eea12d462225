-- database: acme
-- columns: acme.dw.r(id, a, b)
-- columns: acme.stg.r(id, a, b)
-- edge: acme.stg.r#id -> acme.dw.r#id IDENTITY
-- edge: acme.stg.r#a -> acme.dw.r#a IDENTITY
-- edge: acme.stg.r#b -> acme.dw.r#b IDENTITY
-- edge: acme.dw.r#id -> acme.dw.r JOIN
-- edge: acme.stg.r#id -> acme.dw.r JOIN
-- completeness: complete

MERGE INTO dw.r AS t
USING stg.r AS s
ON t.id = s.id
WHEN MATCHED THEN UPDATE SET a = s.a, b = s.b
WHEN NOT MATCHED BY TARGET THEN INSERT ROW
WHEN NOT MATCHED BY SOURCE THEN DELETE;
