-- columns: dw.m(id, st, n)
-- edge: dw.m#n -> dw.m#n TRANSFORMATION
-- edge: dw.m#st -> dw.m FILTER
-- completeness: complete

UPDATE dw.m SET n = n + 1 WHERE st = 'open'
