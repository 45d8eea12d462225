-- columns: STG.P(ID,AMT,CUR)
-- columns: DW.USD(ID,AMT)
-- columns: DW.OTHER(ID,AMT,CUR)
-- edge: STG.P#ID -> DW.USD#ID IDENTITY
-- edge: STG.P#AMT -> DW.USD#AMT IDENTITY
-- edge: STG.P#CUR -> DW.USD FILTER
-- edge: STG.P#ID -> DW.OTHER#ID IDENTITY
-- edge: STG.P#AMT -> DW.OTHER#AMT IDENTITY
-- edge: STG.P#CUR -> DW.OTHER#CUR IDENTITY
-- edge: STG.P#CUR -> DW.OTHER FILTER
-- completeness: complete

INSERT ALL
  WHEN cur = 'USD' THEN INTO dw.usd (id, amt) VALUES (id, amt)
  ELSE INTO dw.other (id, amt, cur) VALUES (id, amt, cur)
SELECT id, amt, cur FROM stg.p
