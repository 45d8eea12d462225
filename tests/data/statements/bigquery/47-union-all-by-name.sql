-- columns: p.d.t(a, b)
-- columns: p.d.u(b, a)
-- edge: p.d.t#a -> p.d.o#a IDENTITY
-- edge: p.d.t#b -> p.d.o#b IDENTITY
-- edge: p.d.u#a -> p.d.o#a IDENTITY
-- edge: p.d.u#b -> p.d.o#b IDENTITY
-- completeness: any

CREATE TABLE `p.d.o` AS SELECT a, b FROM `p.d.t` UNION ALL BY NAME SELECT b, a FROM `p.d.u`
