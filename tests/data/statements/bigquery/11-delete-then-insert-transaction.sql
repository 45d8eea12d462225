-- database: acme
-- columns: acme.stg.d(id, v, day)
-- columns: acme.dw.d(id, v, day)
-- edge: acme.stg.d#id -> acme.dw.d#id IDENTITY
-- edge: acme.stg.d#v -> acme.dw.d#v IDENTITY
-- edge: acme.stg.d#day -> acme.dw.d#day IDENTITY
-- edge: acme.dw.d#day -> acme.dw.d FILTER
-- edge: acme.stg.d#day -> acme.dw.d FILTER
-- completeness: complete

BEGIN TRANSACTION;
DELETE FROM dw.d WHERE day = DATE '2024-05-01';
INSERT INTO dw.d (id, v, day)
SELECT id, v, day FROM stg.d WHERE day = DATE '2024-05-01';
COMMIT TRANSACTION;
