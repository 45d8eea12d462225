-- database: acme
-- columns: acme.raw.o(id, tags ARRAY<STRING>, hits ARRAY<STRUCT<page STRUCT<path STRING>, n INT64>>)
-- edge: acme.raw.o#id -> acme.dw.o#id IDENTITY
-- edge: acme.raw.o#hits.page.path -> acme.dw.o#path IDENTITY
-- edge: acme.raw.o#hits.n -> acme.dw.o#n AGGREGATION
-- edge: acme.raw.o#id -> acme.dw.o GROUP_BY
-- edge: acme.raw.o#hits.page.path -> acme.dw.o GROUP_BY
-- completeness: complete

CREATE OR REPLACE TABLE dw.o AS
SELECT s.id, h.page.path AS path, SUM(h.n) AS n
FROM raw.o AS s
LEFT JOIN UNNEST(s.hits) AS h WITH OFFSET AS pos
GROUP BY 1, 2;
