-- columns: s.b(id,tags)
-- columns: d.b(id,tag)
-- edge: s.b#id -> d.b#id IDENTITY
-- edge: s.b#tags -> d.b#tag IDENTITY
-- completeness: complete

INSERT INTO d.b SELECT id, tag FROM s.b, UNNEST(tags) AS t(tag)
