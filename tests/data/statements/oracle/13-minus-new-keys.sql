-- columns: STG.K(ID)
-- columns: DW.K(ID)
-- edge: STG.K#ID -> DW.NEWK#ID IDENTITY
-- edge: DW.K#ID -> DW.NEWK FILTER
-- completeness: complete

CREATE TABLE dw.newk AS
SELECT id FROM stg.k MINUS SELECT id FROM dw.k;
