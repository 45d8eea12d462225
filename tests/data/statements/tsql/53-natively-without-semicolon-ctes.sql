-- columns: dbo.s(a, b)
-- edge: dbo.s#a -> dbo.t#a IDENTITY
-- edge: dbo.s#b -> dbo.t FILTER
-- edge: dbo.s#a -> dbo.u#a IDENTITY
-- completeness: any

SET NOCOUNT ON
BEGIN TRAN
;WITH x AS (SELECT a FROM dbo.s WHERE b > 0)
INSERT dbo.t (a) SELECT a FROM x
IF @@ERROR <> 0 ROLLBACK
INSERT dbo.u SELECT a FROM dbo.s
COMMIT TRAN
