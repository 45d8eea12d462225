-- columns: dbo.f(id, d)
-- edge: dbo.f#id -> ext.f#id IDENTITY
-- edge: dbo.f#d -> ext.f#d IDENTITY
-- completeness: any

CREATE EXTERNAL TABLE ext.f WITH (LOCATION = '/out/f/', DATA_SOURCE = lake, FILE_FORMAT = pq) AS SELECT id, d FROM dbo.f
