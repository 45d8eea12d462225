-- columns: STG.C(ID,NM,DEL)
-- columns: DW.C(ID,NM)
-- edge: STG.C#ID -> DW.C#ID IDENTITY
-- edge: STG.C#NM -> DW.C#NM IDENTITY
-- edge: STG.C#ID -> DW.C JOIN
-- edge: DW.C#ID -> DW.C JOIN
-- edge: STG.C#DEL -> DW.C FILTER
-- completeness: complete

MERGE /*+ PARALLEL(4) */ INTO dw.c d
USING (SELECT id, nm, del FROM stg.c) s ON (d.id = s.id)
WHEN MATCHED THEN UPDATE SET d.nm = s.nm DELETE WHERE (s.del = 'Y')
WHEN NOT MATCHED THEN INSERT (d.id, d.nm) VALUES (s.id, s.nm) WHERE s.del = 'N'
LOG ERRORS INTO dw.err$_c REJECT LIMIT UNLIMITED
