-- edge: external:x.r.s#a -> d.t#a IDENTITY
-- edge: external:x.r.s#b -> d.t#b IDENTITY
-- completeness: any

INSERT INTO d.t (a, b) SELECT a, b FROM dblink('host=x', 'select a, b from r.s') AS x(a int, b text)
