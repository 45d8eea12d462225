-- columns: DW.U(ID, PTS, LVL)
-- edge: DW.U#PTS -> DW.U#LVL CONDITIONAL
-- edge: DW.U#PTS -> DW.U FILTER
-- completeness: complete

UPDATE dw.u SET lvl = CASE WHEN pts >= 100 THEN 'G' ELSE 'S' END WHERE pts IS NOT NULL;
