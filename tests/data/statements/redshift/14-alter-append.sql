-- columns: stg.e(id, v)
-- columns: dw.e(id, v)
-- edge: stg.e#id -> dw.e#id IDENTITY
-- edge: stg.e#v -> dw.e#v IDENTITY
-- completeness: complete

ALTER TABLE dw.e APPEND FROM stg.e;
