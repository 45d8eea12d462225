-- completeness: complete
-- edge: stg.a#id -> dw.a#id IDENTITY
-- edge: stg.a#ok -> dw.a FILTER

DECLARE @rows dbo.IdList
INSERT INTO @rows SELECT id FROM stg.a WHERE ok = 1
INSERT INTO dw.a (id) SELECT id FROM @rows
