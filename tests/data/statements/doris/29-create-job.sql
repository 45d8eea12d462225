-- columns: d.s(a, b)
-- columns: d.t(a, b)
-- edge: d.s#a -> d.t#a IDENTITY
-- edge: d.s#b -> d.t#b IDENTITY
-- completeness: any

CREATE JOB j ON SCHEDULE EVERY 1 DAY DO INSERT INTO d.t SELECT a, b FROM d.s
