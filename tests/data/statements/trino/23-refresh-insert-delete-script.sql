-- columns: pg.app.ev(id, kind, at)
-- columns: hive.dw.ev(id, kind, day)
-- edge: pg.app.ev#id -> hive.dw.ev#id IDENTITY
-- edge: pg.app.ev#kind -> hive.dw.ev#kind IDENTITY
-- edge: pg.app.ev#at -> hive.dw.ev#day TRANSFORMATION
-- edge: hive.dw.ev#day -> hive.dw.ev FILTER
-- edge: pg.app.ev#at -> hive.dw.ev FILTER
-- completeness: complete

DELETE FROM hive.dw.ev WHERE day = DATE '2024-01-01';
INSERT INTO hive.dw.ev
SELECT id, kind, CAST(at AS date) FROM pg.app.ev WHERE CAST(at AS date) = DATE '2024-01-01';
