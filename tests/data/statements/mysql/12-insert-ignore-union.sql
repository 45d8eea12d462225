-- columns: a.m(addr)
-- columns: b.m(mail, opt_in)
-- columns: mk.m(addr)
-- edge: a.m#addr -> mk.m#addr TRANSFORMATION
-- edge: b.m#mail -> mk.m#addr IDENTITY
-- edge: b.m#opt_in -> mk.m FILTER
-- completeness: complete

INSERT IGNORE INTO mk.m (addr)
SELECT TRIM(addr) FROM a.m
UNION
SELECT mail FROM b.m WHERE opt_in = 1;
