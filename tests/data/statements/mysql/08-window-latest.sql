-- columns: dw.p(id, v)
-- edge: app.p#id -> dw.p#id IDENTITY
-- edge: app.p#v -> dw.p#v IDENTITY
-- edge: app.p#id -> dw.p FILTER
-- edge: app.p#upd -> dw.p FILTER
-- completeness: any

INSERT INTO dw.p (id, v)
WITH r AS (SELECT id, v, ROW_NUMBER() OVER (PARTITION BY id ORDER BY upd DESC) rn FROM app.p)
SELECT id, v FROM r WHERE rn = 1;
