-- database: acme
-- columns: acme.raw.h(id, tags ARRAY<STRUCT<name STRING>>, url)
-- edge: acme.raw.h#id -> acme.dw.h#id IDENTITY
-- edge: acme.raw.h#url -> acme.dw.h#url IDENTITY
-- edge: acme.raw.h#tags.name -> acme.dw.h FILTER
-- completeness: complete

CREATE TABLE dw.h AS
SELECT id, url
FROM raw.h
WHERE EXISTS (SELECT 1 FROM UNNEST(tags) AS tg WHERE tg.name = 'sale');
