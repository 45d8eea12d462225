-- columns: etl.mark(tbl, hi)
-- columns: dbo.ev(id, ts)
-- columns: dw.ev(id, ts)
-- edge: dbo.ev#id -> dw.ev#id IDENTITY
-- edge: dbo.ev#ts -> dw.ev#ts IDENTITY
-- edge: dbo.ev#ts -> dw.ev FILTER
-- edge: etl.mark#hi -> dw.ev FILTER
-- edge: etl.mark#tbl -> dw.ev FILTER
-- completeness: complete
-- note: the variable holds what a filtered query gave

DECLARE @hi datetime;
SELECT @hi = hi FROM etl.mark WHERE tbl = 'ev';
INSERT INTO dw.ev (id, ts) SELECT id, ts FROM dbo.ev WHERE ts > @hi;
