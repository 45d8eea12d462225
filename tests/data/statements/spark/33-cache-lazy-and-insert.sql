-- columns: d.s(a, b)
-- edge: d.s#a -> d.t#a IDENTITY
-- edge: d.s#b -> d.t FILTER
-- completeness: any

CACHE LAZY TABLE c OPTIONS ('storageLevel' 'DISK_ONLY') AS SELECT a FROM d.s WHERE b > 0;
INSERT INTO d.t (a) TABLE c;
