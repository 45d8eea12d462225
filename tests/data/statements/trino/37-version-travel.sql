-- columns: c.d.s(a, b)
-- edge: c.d.s#a -> c.d.t#a IDENTITY
-- completeness: any

INSERT INTO c.d.t (a) SELECT a FROM c.d.s FOR VERSION AS OF 123
