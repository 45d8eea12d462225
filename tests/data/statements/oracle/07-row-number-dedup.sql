-- columns: RAW.C(ID, NM, TS)
-- columns: DW.C(ID, NM)
-- edge: RAW.C#ID -> DW.C#ID IDENTITY
-- edge: RAW.C#NM -> DW.C#NM IDENTITY
-- edge: RAW.C#ID -> DW.C FILTER
-- edge: RAW.C#TS -> DW.C FILTER
-- completeness: complete

INSERT /*+ APPEND */ INTO dw.c (id, nm)
SELECT id, nm FROM (
  SELECT id, nm, ROW_NUMBER() OVER (PARTITION BY id ORDER BY ts DESC) rn FROM raw.c
) WHERE rn = 1;
