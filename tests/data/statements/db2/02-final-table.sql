-- completeness: complete
-- edge: dw.y#id -> dw.x#id IDENTITY
-- edge: dw.y#nm -> dw.x#nm IDENTITY
-- edge: stg.y#id -> dw.y#id IDENTITY
-- edge: stg.y#nm -> dw.y#nm IDENTITY

INSERT INTO dw.x (id, nm) SELECT id, nm FROM FINAL TABLE (INSERT INTO dw.y (id, nm) SELECT id, nm FROM stg.y)
