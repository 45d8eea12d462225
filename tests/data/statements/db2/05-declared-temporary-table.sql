-- completeness: complete
-- edge: stg.a#id -> dw.a#id IDENTITY
-- edge: stg.a#v -> dw.a FILTER
-- edge: stg.a#v -> dw.a#v IDENTITY

DECLARE GLOBAL TEMPORARY TABLE session.st AS (SELECT id, v FROM stg.a) DEFINITION ONLY ON COMMIT PRESERVE ROWS;
INSERT INTO session.st SELECT id, v FROM stg.a WHERE v > 1;
INSERT INTO dw.a (id, v) SELECT id, v FROM session.st
