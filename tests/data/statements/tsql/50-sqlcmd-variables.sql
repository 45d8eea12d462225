-- columns: dbo.s(a)
-- edge: dbo.s#a -> prod.dbo.t#a IDENTITY
-- completeness: complete

:setvar env prod
INSERT INTO $(env).dbo.t (a) SELECT a FROM dbo.s
GO
