-- columns: dbo.st(id,v)
-- columns: dbo.cur(id,v)
-- edge: dbo.st#id -> dbo.cur#id IDENTITY
-- edge: dbo.st#v -> dbo.cur#v IDENTITY
-- completeness: any

ALTER TABLE dbo.st SWITCH PARTITION 3 TO dbo.cur PARTITION 3
