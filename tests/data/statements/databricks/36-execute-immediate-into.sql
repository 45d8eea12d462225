-- edge: d.s#a -> d.t#a IDENTITY
-- edge: d.s#b -> d.t FILTER
-- completeness: any

EXECUTE IMMEDIATE 'INSERT INTO d.t SELECT a FROM d.s WHERE b = :x' USING (5 AS x)
