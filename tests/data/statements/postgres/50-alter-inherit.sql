-- columns: d.c(a)
-- columns: d.p(a)
-- edge: d.c#a -> d.p#a IDENTITY
-- completeness: any

ALTER TABLE d.c INHERIT d.p
