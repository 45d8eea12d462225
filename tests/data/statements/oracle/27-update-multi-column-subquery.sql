-- columns: DW.E(ID, NM, DEPT)
-- columns: STG.E(ID, NM, DEPT)
-- edge: STG.E#NM -> DW.E#NM IDENTITY
-- edge: STG.E#DEPT -> DW.E#DEPT IDENTITY
-- edge: STG.E#ID -> DW.E FILTER
-- edge: DW.E#ID -> DW.E FILTER
-- completeness: complete

UPDATE dw.e t
SET (t.nm, t.dept) = (SELECT s.nm, s.dept FROM stg.e s WHERE s.id = t.id)
WHERE t.id IN (SELECT id FROM stg.e);
