-- columns: a.t(id,v)
-- columns: a.k(id)
-- edge: a.k#id -> a.t FILTER
-- edge: a.t#id -> a.t FILTER
-- edge: a.t#v -> a.t#v TRANSFORMATION
-- completeness: complete

UPDATE a.t SET v = v + 1 WHERE id IN (SELECT id FROM a.k);
DELETE FROM a.t WHERE NOT EXISTS (SELECT 1 FROM a.k WHERE a.k.id = a.t.id);
