-- columns: s.a(id,n,at)
-- columns: d.a(id,n)
-- edge: s.a#id -> d.a#id IDENTITY
-- edge: s.a#n -> d.a#n IDENTITY
-- edge: s.a#at -> d.a FILTER
-- completeness: complete

INSERT INTO d.a (id, n) SELECT id, n FROM s.a WHERE at > NOW() - INTERVAL 1 DAY ON DUPLICATE KEY UPDATE n = VALUES(n)
