-- columns: a.t(id,st)
-- columns: b.t(id,ok)
-- edge: a.t#st -> a.t FILTER
-- edge: a.t#id -> a.t SORT
-- edge: a.t#id -> b.t JOIN
-- edge: b.t#id -> b.t JOIN
-- edge: a.t#st -> b.t FILTER
-- completeness: complete

DELETE FROM a.t WHERE st = 'x' ORDER BY id LIMIT 1000;
UPDATE a.t JOIN b.t ON a.t.id = b.t.id SET b.t.ok = 1 WHERE a.t.st = 'y';
