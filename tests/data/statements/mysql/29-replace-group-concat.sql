-- columns: s.g(id,n)
-- edge: s.g#id -> d.g#id IDENTITY
-- edge: s.g#n -> d.g#ns AGGREGATION
-- edge: s.g#n -> d.g#ns SORT
-- edge: s.g#id -> d.g GROUP_BY
-- completeness: any

REPLACE INTO d.g (id, ns) SELECT id, GROUP_CONCAT(n ORDER BY n SEPARATOR ';') FROM s.g GROUP BY id
