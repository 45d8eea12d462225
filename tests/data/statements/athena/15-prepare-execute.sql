-- columns: d.s(a, b)
-- completeness: any

PREPARE p FROM INSERT INTO d.t SELECT a FROM d.s WHERE b = ?
