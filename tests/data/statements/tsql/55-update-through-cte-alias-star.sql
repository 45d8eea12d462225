-- columns: dbo.s(id, a)
-- columns: dbo.t(id, a, b)
-- edge: dbo.s#a -> dbo.t#a IDENTITY
-- edge: dbo.s#id -> dbo.t JOIN
-- edge: dbo.t#id -> dbo.t JOIN
-- completeness: any

WITH c AS (SELECT t.a AS old_a, s.a AS new_a FROM dbo.t t JOIN dbo.s s ON s.id = t.id) UPDATE c SET old_a = new_a
