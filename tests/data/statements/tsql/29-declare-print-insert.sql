-- columns: dbo.s(id,v)
-- columns: dbo.t(id,v)
-- edge: dbo.s#id -> dbo.t#id IDENTITY
-- edge: dbo.s#v -> dbo.t#v IDENTITY
-- edge: dbo.s#v -> dbo.t FILTER
-- completeness: complete

SET NOCOUNT ON
DECLARE @x INT = 5
PRINT 'go'
INSERT INTO dbo.t (id, v) SELECT id, v FROM dbo.s WHERE v > @x
PRINT 'done' 
