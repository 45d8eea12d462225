-- columns: s.a(id,v,ts)
-- columns: d.a(id,v)
-- edge: s.a#id -> d.a#id IDENTITY
-- edge: s.a#v -> d.a#v IDENTITY
-- edge: s.a#id -> d.a FILTER
-- edge: s.a#ts -> d.a FILTER
-- completeness: complete

INSERT /*+ DIRECT */ INTO d.a SELECT id, v FROM s.a LIMIT 1 OVER (PARTITION BY id ORDER BY ts DESC);
