-- columns: d.c(id,v,proc)
-- columns: d.k(id,v)
-- edge: d.c#id -> d.k#id IDENTITY
-- edge: d.c#v -> d.k#v IDENTITY
-- edge: d.c#id -> d.k FILTER
-- edge: d.c#proc -> d.k FILTER
-- completeness: complete

SET 'table.exec.state.ttl' = '1 d';
INSERT INTO d.k
SELECT id, v FROM (
  SELECT id, v, ROW_NUMBER() OVER (PARTITION BY id ORDER BY proc DESC) AS rn FROM d.c
) WHERE rn = 1;
