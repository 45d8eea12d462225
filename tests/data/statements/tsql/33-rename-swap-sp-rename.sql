-- columns: dbo.src(id, v)
-- edge: dbo.src#id -> dbo.fact_new#id IDENTITY
-- edge: dbo.src#v -> dbo.fact_new#v IDENTITY
-- edge: dbo.fact_new#id -> dbo.fact#id IDENTITY
-- edge: dbo.fact_new#v -> dbo.fact#v IDENTITY
-- completeness: complete
-- note: sp_rename puts the rows of fact_new under the name fact

SELECT id, v INTO dbo.fact_new FROM dbo.src
EXEC sp_rename 'dbo.fact', 'fact_old'
EXEC sp_rename 'dbo.fact_new', 'fact'
DROP TABLE dbo.fact_old
