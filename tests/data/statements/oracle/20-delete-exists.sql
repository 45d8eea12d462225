-- columns: DW.L(ID, AT)
-- columns: OPS.K(ID, DONE)
-- edge: DW.L#ID -> DW.L FILTER
-- edge: OPS.K#ID -> DW.L FILTER
-- edge: OPS.K#DONE -> DW.L FILTER
-- completeness: complete

DELETE FROM dw.l t WHERE EXISTS (SELECT 1 FROM ops.k k WHERE k.id = t.id AND k.done = 'Y');
