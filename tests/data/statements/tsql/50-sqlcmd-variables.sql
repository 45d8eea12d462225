-- columns: dbo.s(a)
-- completeness: any

:setvar env prod
INSERT INTO $(env).dbo.t (a) SELECT a FROM dbo.s
GO
