-- columns: DW.K(ID, VAL, SRC)
-- columns: STG.K(ID, VAL, TS)
-- edge: STG.K#ID -> DW.K#ID IDENTITY
-- edge: STG.K#VAL -> DW.K#VAL IDENTITY
-- edge: DW.K#ID -> DW.K JOIN
-- edge: STG.K#ID -> DW.K JOIN
-- edge: STG.K#ID -> DW.K FILTER
-- edge: STG.K#TS -> DW.K FILTER
-- completeness: complete

MERGE /*+ PARALLEL(4) */ INTO dw.k t
USING (
  SELECT id, val FROM (
    SELECT id, val, ROW_NUMBER() OVER (PARTITION BY id ORDER BY ts DESC) AS rn FROM stg.k
  ) WHERE rn = 1
) s
ON (t.id = s.id)
WHEN MATCHED THEN UPDATE SET t.val = s.val
WHEN NOT MATCHED THEN INSERT (id, val, src) VALUES (s.id, s.val, 'stg');
