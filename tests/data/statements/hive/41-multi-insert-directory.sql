-- columns: d.s(a, b)
-- columns: d.t(a)
-- edge: d.s#a -> d.t#a IDENTITY
-- edge: d.s#b -> file:/o/b#b IDENTITY
-- completeness: any

FROM d.s INSERT INTO TABLE d.t SELECT a INSERT OVERWRITE DIRECTORY '/o/b' SELECT b
