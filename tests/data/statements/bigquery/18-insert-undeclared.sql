-- database: acme
-- edge: acme.raw.a#id -> acme.dw.t#id IDENTITY
-- edge: acme.raw.b#v -> acme.dw.t#v TRANSFORMATION
-- edge: acme.raw.a#id -> acme.dw.t JOIN
-- edge: acme.raw.b#a_id -> acme.dw.t JOIN
-- edge: acme.raw.a#ok -> acme.dw.t FILTER
-- completeness: any

INSERT INTO dw.t (id, v)
SELECT a.id, IFNULL(b.v, 0)
FROM raw.a AS a
LEFT JOIN raw.b AS b ON b.a_id = a.id
WHERE a.ok;
