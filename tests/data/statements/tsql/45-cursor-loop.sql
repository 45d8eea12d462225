-- columns: dbo.s(id, v)
-- columns: dbo.t(id, v)
-- edge: dbo.s#id -> dbo.t#id IDENTITY
-- edge: dbo.s#v -> dbo.t#v IDENTITY
-- completeness: any
-- note: a cursor fetches into variables that are inserted

DECLARE @id int, @v int
DECLARE c CURSOR FOR SELECT id, v FROM dbo.s
OPEN c
FETCH NEXT FROM c INTO @id, @v
WHILE @@FETCH_STATUS = 0
BEGIN
  INSERT INTO dbo.t (id, v) VALUES (@id, @v)
  FETCH NEXT FROM c INTO @id, @v
END
CLOSE c
DEALLOCATE c
