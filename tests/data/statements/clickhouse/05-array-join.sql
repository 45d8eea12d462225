-- columns: raw.hits(id, tags)
-- columns: dw.hit_tag(id, tag)
-- edge: raw.hits#id -> dw.hit_tag#id IDENTITY
-- edge: raw.hits#tags -> dw.hit_tag#tag IDENTITY
-- edge: raw.hits#tags -> dw.hit_tag FILTER
-- completeness: complete
-- note: an element is copied out of its array

INSERT INTO dw.hit_tag
SELECT id, tag
FROM raw.hits
ARRAY JOIN tags AS tag
WHERE tag != '';
