-- columns: dbo.acct(id, bal)
-- columns: dbo.aud(id, was, new)
-- edge: dbo.acct#bal -> dbo.acct#bal TRANSFORMATION
-- edge: dbo.acct#bal -> dbo.aud#new IDENTITY
-- edge: dbo.acct#bal -> dbo.aud#was IDENTITY
-- edge: dbo.acct#id -> dbo.acct FILTER
-- edge: dbo.acct#id -> dbo.aud FILTER
-- edge: dbo.acct#id -> dbo.aud#id IDENTITY
-- completeness: any

UPDATE a SET bal = bal * 1.01
OUTPUT inserted.id, deleted.bal, inserted.bal INTO dbo.aud (id, was, new)
FROM dbo.acct AS a WHERE a.id > 10
