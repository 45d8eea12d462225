-- columns: dbo.s(id,v)
-- columns: dbo.t(id,v)
-- columns: dbo.err(msg)
-- edge: dbo.s#id -> dbo.t#id IDENTITY
-- edge: dbo.s#v -> dbo.t#v IDENTITY
-- edge: dbo.t#id -> dbo.t FILTER
-- edge: dbo.s#id -> dbo.t FILTER
-- completeness: complete

BEGIN TRY
  BEGIN TRAN
  INSERT INTO dbo.t (id, v) SELECT s.id, s.v FROM dbo.s s LEFT JOIN dbo.t t ON 1 = 0 WHERE NOT EXISTS (SELECT 1 FROM dbo.t x WHERE x.id = s.id)
  COMMIT
END TRY
BEGIN CATCH
  ROLLBACK
  INSERT INTO dbo.err (msg) VALUES (ERROR_MESSAGE())
END CATCH
