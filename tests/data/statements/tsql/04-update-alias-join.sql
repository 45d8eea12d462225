-- columns: dbo.acct(id, tier, bal)
-- columns: ref.lvl(tier, min_bal)
-- edge: ref.lvl#tier -> dbo.acct#tier IDENTITY
-- edge: dbo.acct#bal -> dbo.acct JOIN
-- edge: ref.lvl#min_bal -> dbo.acct JOIN
-- edge: dbo.acct#tier -> dbo.acct FILTER
-- completeness: complete

UPDATE a
SET a.tier = l.tier
FROM dbo.acct AS a
INNER JOIN ref.lvl AS l ON a.bal >= l.min_bal
WHERE a.tier IS NULL
