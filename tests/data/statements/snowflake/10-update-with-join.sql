-- columns: DW.ACCT(ID, SCORE, SEG)
-- columns: STG.SCORE(ACCT_ID, SCORE, MODEL)
-- edge: STG.SCORE#SCORE -> DW.ACCT#SCORE IDENTITY
-- edge: STG.SCORE#SCORE -> DW.ACCT#SEG CONDITIONAL
-- edge: DW.ACCT#ID -> DW.ACCT FILTER
-- edge: STG.SCORE#ACCT_ID -> DW.ACCT FILTER
-- edge: STG.SCORE#MODEL -> DW.ACCT FILTER
-- completeness: complete

update dw.acct t
set t.score = s.score,
    t.seg = case when s.score > 700 then 'prime' else 'sub' end
from stg.score s
where t.id = s.acct_id and s.model = 'v2';
