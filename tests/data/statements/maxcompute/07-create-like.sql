-- columns: dw.a(x, y)
-- columns: ods.s(p, q)
-- edge: ods.s#p -> dw.b#x IDENTITY
-- edge: ods.s#q -> dw.b#y IDENTITY
-- completeness: complete

CREATE TABLE IF NOT EXISTS dw.b LIKE dw.a LIFECYCLE 30;
INSERT INTO dw.b SELECT p, q FROM ods.s;
