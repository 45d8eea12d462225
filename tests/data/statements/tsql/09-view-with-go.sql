-- columns: dbo.a(id, v)
-- columns: dbo.b(id, w)
-- edge: dbo.a#id -> rpt.ab#id IDENTITY
-- edge: dbo.b#w -> rpt.ab#w TRANSFORMATION
-- edge: dbo.a#id -> rpt.ab JOIN
-- edge: dbo.b#id -> rpt.ab JOIN
-- completeness: complete

SET ANSI_NULLS ON
GO
CREATE OR ALTER VIEW rpt.ab AS
SELECT a.id, ISNULL(b.w, 0) AS w
FROM dbo.a AS a
LEFT JOIN dbo.b AS b ON b.id = a.id
GO
