-- columns: mart.t(g, names, has_st)
-- edge: dbo.t#g -> mart.t#g IDENTITY
-- edge: dbo.t#nm -> mart.t#names AGGREGATION
-- edge: dbo.t#ord -> mart.t#names SORT
-- edge: dbo.t#st -> mart.t#has_st CONDITIONAL
-- edge: dbo.t#g -> mart.t GROUP_BY
-- completeness: any

INSERT INTO mart.t (g, names, has_st)
SELECT g,
       STRING_AGG(nm, ',') WITHIN GROUP (ORDER BY ord),
       MAX(IIF(st = 'Y', 1, 0))
FROM dbo.t
GROUP BY g;
