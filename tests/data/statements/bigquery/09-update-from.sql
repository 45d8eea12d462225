-- database: acme
-- columns: acme.dw.acct(id, balance, tier)
-- columns: acme.stg.bal(acct_id, amount)
-- edge: acme.dw.acct#balance -> acme.dw.acct#balance TRANSFORMATION
-- edge: acme.stg.bal#amount -> acme.dw.acct#balance TRANSFORMATION
-- edge: acme.dw.acct#id -> acme.dw.acct FILTER
-- edge: acme.stg.bal#acct_id -> acme.dw.acct FILTER
-- completeness: complete

UPDATE dw.acct a
SET balance = a.balance + b.amount
FROM stg.bal b
WHERE a.id = b.acct_id;
