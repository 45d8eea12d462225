-- columns: S.H(ID,V,T)
-- edge: S.H#ID -> D.H#ID IDENTITY
-- edge: S.H#V -> D.H#V AGGREGATION
-- edge: S.H#T -> D.H#V WINDOW
-- edge: S.H#ID -> D.H GROUP_BY
-- completeness: any

CREATE TABLE d.h AS SELECT id, MAX(v) KEEP (DENSE_RANK LAST ORDER BY t) AS v FROM s.h GROUP BY id
