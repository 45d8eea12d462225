-- columns: ods.a(id, tags)
-- columns: dwd.a(id, tag)
-- edge: ods.a#id -> dwd.a#id IDENTITY
-- edge: ods.a#tags -> dwd.a#tag IDENTITY
-- completeness: complete
-- note: an element is copied out of its array

INSERT INTO dwd.a
SELECT a.id, t.tag FROM ods.a a, UNNEST(a.tags) AS t(tag);
