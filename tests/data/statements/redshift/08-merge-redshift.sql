-- columns: dw.acct(id, bal)
-- columns: stg.acct(id, bal)
-- edge: stg.acct#id -> dw.acct#id IDENTITY
-- edge: stg.acct#bal -> dw.acct#bal IDENTITY
-- edge: dw.acct#id -> dw.acct JOIN
-- edge: stg.acct#id -> dw.acct JOIN
-- completeness: complete

MERGE INTO dw.acct USING stg.acct AS s ON dw.acct.id = s.id
WHEN MATCHED THEN UPDATE SET bal = s.bal
WHEN NOT MATCHED THEN INSERT VALUES (s.id, s.bal);
