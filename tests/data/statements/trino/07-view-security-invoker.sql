-- columns: pg.public.acct(id, owner_id, bal)
-- columns: pg.public.person(id, full_name)
-- edge: pg.public.acct#id -> hive.rpt.acct#acct_id IDENTITY
-- edge: pg.public.person#full_name -> hive.rpt.acct#owner TRANSFORMATION
-- edge: pg.public.acct#bal -> hive.rpt.acct#bal IDENTITY
-- edge: pg.public.acct#owner_id -> hive.rpt.acct JOIN
-- edge: pg.public.person#id -> hive.rpt.acct JOIN
-- completeness: complete

CREATE OR REPLACE VIEW hive.rpt.acct SECURITY INVOKER AS
SELECT a.id AS acct_id, upper(b.full_name) AS owner, a.bal
FROM pg.public.acct a
JOIN pg.public.person b ON a.owner_id = b.id;
