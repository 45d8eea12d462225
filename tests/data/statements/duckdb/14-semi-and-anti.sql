-- columns: raw.a(id, v)
-- columns: raw.b(id)
-- columns: raw.c(id)
-- edge: raw.a#id -> dw.a#id IDENTITY
-- edge: raw.a#v -> dw.a#v IDENTITY
-- edge: raw.a#id -> dw.a JOIN
-- edge: raw.b#id -> dw.a JOIN
-- edge: raw.c#id -> dw.a JOIN
-- completeness: complete

CREATE TABLE dw.a AS
SELECT a.id, a.v
FROM raw.a a
SEMI JOIN raw.b b ON a.id = b.id
ANTI JOIN raw.c c ON a.id = c.id;
