-- database: dwh.dbo
-- columns: src.dbo.a(id, v)
-- columns: dwh.dbo.a(id, v)
-- edge: src.dbo.a#id -> dwh.dbo.a#id IDENTITY
-- edge: src.dbo.a#v -> dwh.dbo.a#v IDENTITY
-- edge: src.dbo.a#id -> dwh.dbo.a FILTER
-- edge: dwh.dbo.a#id -> dwh.dbo.a FILTER
-- completeness: complete

INSERT INTO a (id, v)
SELECT s.id, s.v FROM src.dbo.a AS s
WHERE NOT EXISTS (SELECT 1 FROM dwh.dbo.a AS d WHERE d.id = s.id)
