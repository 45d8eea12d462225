-- columns: hive.dw.n(id, r, f)
-- edge: hive.raw.n#id -> hive.dw.n#id IDENTITY
-- edge: hive.raw.n#a -> hive.dw.n#r TRANSFORMATION
-- edge: hive.raw.n#b -> hive.dw.n#r TRANSFORMATION
-- edge: hive.raw.n#st -> hive.dw.n#f CONDITIONAL
-- edge: hive.raw.n#a -> hive.dw.n#f TRANSFORMATION
-- completeness: any

INSERT INTO hive.dw.n
SELECT id, a / nullif(b, 0), if(st = 'x', a) FROM hive.raw.n;
