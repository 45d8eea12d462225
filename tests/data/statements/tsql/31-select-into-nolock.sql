-- columns: dbo.a(id,x)
-- edge: dbo.a#id -> dbo.n#id IDENTITY
-- edge: dbo.a#x -> dbo.n#m AGGREGATION
-- edge: dbo.a#id -> dbo.n GROUP_BY
-- completeness: complete

SELECT id, MAX(x) AS m INTO dbo.n FROM dbo.a WITH (NOLOCK) GROUP BY id OPTION (MAXDOP 4);
