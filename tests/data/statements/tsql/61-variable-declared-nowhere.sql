-- completeness: any
-- edge: stg.a#id -> dw.a#id IDENTITY

INSERT INTO @rows SELECT id FROM stg.a
INSERT INTO dw.a (id) SELECT id FROM @rows
