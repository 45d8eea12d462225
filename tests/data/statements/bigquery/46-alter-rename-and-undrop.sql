-- columns: p.d.t(a)
-- completeness: any

ALTER TABLE `p.d.t` RENAME TO t2
