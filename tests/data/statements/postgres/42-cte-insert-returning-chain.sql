-- columns: d.q(id, p)
-- columns: d.done(id, p)
-- columns: d.log(id)
-- edge: d.done#id -> d.log#id IDENTITY
-- edge: d.q#id -> d.done#id IDENTITY
-- edge: d.q#p -> d.done FILTER
-- edge: d.q#p -> d.done#p IDENTITY
-- edge: d.q#p -> d.log FILTER
-- edge: d.q#p -> d.q FILTER
-- completeness: any

WITH gone AS (DELETE FROM d.q WHERE p < 5 RETURNING id, p), moved AS (INSERT INTO d.done (id, p) SELECT id, p FROM gone RETURNING id)
INSERT INTO d.log (id) SELECT id FROM moved
