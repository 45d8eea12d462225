-- columns: d.s(a, b)
-- edge: d.s#a -> d.t#a IDENTITY
-- completeness: any

SELECT a INTO TEMP TABLE x FROM d.s;
INSERT INTO d.t (a) SELECT a FROM x;
