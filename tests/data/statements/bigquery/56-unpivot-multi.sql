-- columns: p.d.s(k, a1, b1, a2, b2)
-- edge: p.d.s#k -> p.d.t#k IDENTITY
-- edge: p.d.s#a1 -> p.d.t#a IDENTITY
-- edge: p.d.s#a2 -> p.d.t#a IDENTITY
-- edge: p.d.s#b1 -> p.d.t#b IDENTITY
-- edge: p.d.s#b2 -> p.d.t#b IDENTITY
-- completeness: any

CREATE TABLE `p.d.t` AS SELECT k, a, b FROM `p.d.s` UNPIVOT ((a, b) FOR n IN ((a1, b1) AS 'x', (a2, b2) AS 'y'))
