-- columns: ods.k(id, st, a, b)
-- edge: ods.k#id -> rpt.k#id IDENTITY
-- edge: ods.k#st -> rpt.k#val CONDITIONAL
-- edge: ods.k#a -> rpt.k#val TRANSFORMATION
-- edge: ods.k#b -> rpt.k#val TRANSFORMATION
-- completeness: complete

CREATE VIEW rpt.k AS SELECT id, IF(st = 1, a, b) AS val FROM ods.k;
