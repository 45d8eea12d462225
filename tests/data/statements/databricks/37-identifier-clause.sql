-- columns: d.s(a, b)
-- edge: d.s#a -> d.t#a IDENTITY
-- completeness: any

INSERT INTO IDENTIFIER('d.t') (a) SELECT a FROM IDENTIFIER('d.s')
