-- columns: dw.acct(id, bal)
-- columns: stg.acct(id, delta)
-- edge: dw.acct#bal -> dw.acct#bal TRANSFORMATION
-- edge: stg.acct#delta -> dw.acct#bal TRANSFORMATION
-- edge: dw.acct#id -> dw.acct FILTER
-- edge: stg.acct#id -> dw.acct FILTER
-- completeness: complete

UPDATE dw.acct SET bal = acct.bal + s.delta FROM stg.acct s WHERE acct.id = s.id;
