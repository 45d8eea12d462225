-- edge: dbo.s#a -> dbo.t#a IDENTITY
-- completeness: complete

EXEC ('INSERT INTO dbo.t SELECT a FROM dbo.s')
