-- columns: dbo.e(id,dt)
-- columns: dbo.arch(id,dt)
-- edge: dbo.e#id -> dbo.arch#id IDENTITY
-- edge: dbo.e#dt -> dbo.arch#dt IDENTITY
-- edge: dbo.e#dt -> dbo.e FILTER
-- edge: dbo.e#dt -> dbo.arch FILTER
-- completeness: any

DELETE FROM dbo.e OUTPUT deleted.id, deleted.dt INTO dbo.arch (id, dt) WHERE dt < '2025-01-01'
