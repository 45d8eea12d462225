-- columns: hive.raw.j(id, doc)
-- edge: hive.raw.j#id -> hive.dw.j#id IDENTITY
-- edge: hive.raw.j#doc -> hive.dw.j#item TRANSFORMATION
-- completeness: complete

CREATE TABLE hive.dw.j AS
SELECT j.id, u.item
FROM hive.raw.j j
CROSS JOIN UNNEST(CAST(json_extract(j.doc, '$.items') AS array(varchar))) AS u (item);
