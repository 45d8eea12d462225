-- columns: g.s(p, pts)
-- edge: g.s#p -> g.best#p IDENTITY
-- edge: g.s#pts -> g.best#pts IDENTITY
-- edge: g.s#pts -> g.best SORT
-- completeness: complete

SELECT TOP 10 WITH TIES p, pts INTO g.best FROM g.s ORDER BY pts DESC;
