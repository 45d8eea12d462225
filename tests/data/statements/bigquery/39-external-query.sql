-- edge: external:p.us.c.pub.x#a -> p.d.t#a IDENTITY
-- edge: external:p.us.c.pub.x#b -> p.d.t FILTER
-- completeness: any

INSERT INTO `p.d.t` (a) SELECT a FROM EXTERNAL_QUERY('p.us.c', 'SELECT a FROM pub.x WHERE b = 1')
