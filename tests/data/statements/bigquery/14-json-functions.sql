-- database: acme
-- columns: acme.raw.j(doc, at)
-- edge: acme.raw.j#doc -> acme.dw.j#order_id TRANSFORMATION
-- edge: acme.raw.j#doc -> acme.dw.j#total TRANSFORMATION
-- edge: acme.raw.j#at -> acme.dw.j#day TRANSFORMATION
-- edge: acme.raw.j#doc -> acme.dw.j FILTER
-- completeness: complete

CREATE TABLE dw.j AS
SELECT JSON_VALUE(doc, '$.id') AS order_id,
       CAST(JSON_VALUE(doc, '$.total') AS NUMERIC) AS total,
       EXTRACT(DATE FROM at) AS day
FROM raw.j
WHERE JSON_VALUE(doc, '$.type') = 'order';
