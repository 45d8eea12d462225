-- columns: app.ev(id, at)
-- columns: dw.ev(id, at)
-- edge: app.ev#id -> dw.ev#id IDENTITY
-- edge: app.ev#at -> dw.ev#at IDENTITY
-- edge: app.ev#at -> dw.ev FILTER
-- edge: dw.ev#at -> dw.ev FILTER
-- completeness: complete

SET @hi = (SELECT COALESCE(MAX(at), '1970-01-01') FROM dw.ev);
INSERT INTO dw.ev (id, at) SELECT id, at FROM app.ev WHERE at > @hi;
