-- completeness: any

EXEC ('INSERT INTO dbo.t SELECT a FROM dbo.s')
