-- columns: stg.x(id, v)
-- columns: stg.x_full(id, v)
-- columns: dw.x(id, v)
-- edge: stg.x#id -> dw.x#id IDENTITY
-- edge: stg.x_full#id -> dw.x#id IDENTITY
-- edge: stg.x#v -> dw.x#v IDENTITY
-- edge: stg.x_full#v -> dw.x#v IDENTITY
-- completeness: complete

DECLARE @full bit = 0
IF @full = 1
BEGIN
    TRUNCATE TABLE dw.x
    INSERT INTO dw.x (id, v) SELECT id, v FROM stg.x_full
END
ELSE
BEGIN
    INSERT INTO dw.x (id, v) SELECT id, v FROM stg.x
END
