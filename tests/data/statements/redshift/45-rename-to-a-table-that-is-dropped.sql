-- columns: dw.f(id, v)
-- edge: dw.f#id -> dw.f_new#id IDENTITY
-- edge: dw.f#v -> dw.f_new#v IDENTITY
-- edge: dw.f_new#id -> dw.f#id IDENTITY
-- edge: dw.f_new#v -> dw.f#v IDENTITY
-- completeness: complete

CREATE TABLE dw.f_new (LIKE dw.f);
INSERT INTO dw.f_new SELECT * FROM dw.f;
ALTER TABLE dw.f RENAME TO f_old;
ALTER TABLE dw.f_new RENAME TO f;
DROP TABLE dw.f_old;
