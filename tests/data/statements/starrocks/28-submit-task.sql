-- columns: d.s(a, b)
-- columns: d.t(a, b)
-- edge: d.s#a -> d.t#a IDENTITY
-- edge: d.s#b -> d.t#b IDENTITY
-- completeness: any

SUBMIT TASK t1 SCHEDULE EVERY(INTERVAL 1 DAY) AS INSERT OVERWRITE d.t SELECT a, b FROM d.s
