-- database: acme
-- columns: acme.raw.u(id, tags ARRAY<STRING>, name STRING)
-- columns: acme.dw.u(id,info,tags)
-- edge: acme.raw.u#id -> acme.dw.u#id IDENTITY
-- edge: acme.raw.u#name -> acme.dw.u#info TRANSFORMATION
-- edge: acme.raw.u#tags -> acme.dw.u#tags TRANSFORMATION
-- edge: acme.raw.u#tags -> acme.dw.u FILTER
-- completeness: complete

INSERT INTO dw.u (id, info, tags)
SELECT id, TO_JSON_STRING(STRUCT(name AS n, 1 AS v)), ARRAY(SELECT LOWER(t) FROM UNNEST(tags) t WHERE t <> '')
FROM raw.u;
