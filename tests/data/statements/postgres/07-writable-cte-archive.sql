-- columns: dw.log(id, msg, at)
-- columns: arch.log(id, msg, at)
-- edge: dw.log#at -> dw.log FILTER
-- edge: dw.log#id -> arch.log#id IDENTITY
-- edge: dw.log#msg -> arch.log#msg IDENTITY
-- edge: dw.log#at -> arch.log#at IDENTITY
-- edge: dw.log#at -> arch.log FILTER
-- completeness: complete

WITH moved AS (
    DELETE FROM dw.log WHERE at < now() - interval '1 year'
    RETURNING id, msg, at
)
INSERT INTO arch.log (id, msg, at)
SELECT id, msg, at FROM moved;
