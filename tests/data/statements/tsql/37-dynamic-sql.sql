-- columns: dbo.s(id)
-- completeness: any
-- note: built at run time

DECLARE @sql nvarchar(max) = N'INSERT INTO dbo.t SELECT id FROM dbo.s WHERE d = @d'
EXEC sp_executesql @sql, N'@d date', @d = '2024-01-01'
