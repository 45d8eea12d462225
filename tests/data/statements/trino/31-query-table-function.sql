-- edge: pg.x.y#a -> c.d.t#a IDENTITY
-- completeness: any

INSERT INTO c.d.t (a) SELECT a FROM TABLE(pg.system.query(query => 'SELECT a FROM x.y'))
