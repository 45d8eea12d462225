-- columns: dbo.q(id, q1, q2)
-- columns: dbo.long(id, qtr, amt)
-- edge: dbo.q#id -> dbo.long#id IDENTITY
-- edge: dbo.q#q1 -> dbo.long#amt IDENTITY
-- edge: dbo.q#q2 -> dbo.long#amt IDENTITY
-- edge: dbo.q#q1 -> dbo.long FILTER
-- edge: dbo.q#q2 -> dbo.long FILTER
-- completeness: complete

INSERT INTO dbo.long (id, qtr, amt)
SELECT q.id, x.qtr, x.amt
FROM dbo.q AS q
CROSS APPLY (VALUES ('q1', q.q1), ('q2', q.q2)) AS x(qtr, amt)
WHERE x.amt IS NOT NULL
