-- columns: DW.P(ID, PRICE)
-- columns: STG.P(ID, PRICE)
-- edge: STG.P#PRICE -> DW.P#PRICE IDENTITY
-- edge: STG.P#ID -> DW.P FILTER
-- edge: DW.P#ID -> DW.P FILTER
-- completeness: complete

UPDATE dw.p t
SET t.price = (SELECT s.price FROM stg.p s WHERE s.id = t.id)
WHERE EXISTS (SELECT 1 FROM stg.p s WHERE s.id = t.id);
