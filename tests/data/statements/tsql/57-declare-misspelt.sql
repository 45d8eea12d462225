-- completeness: any
-- edge: stg.a#id -> dw.a#id IDENTITY

DECLARE @f TALBE (id INT)
INSERT INTO @f SELECT id FROM stg.a
INSERT INTO dw.a (id) SELECT id FROM @f
