-- columns: s.a(id,x,y)
-- edge: s.a#id -> d.b#id IDENTITY
-- edge: s.a#x -> d.b#x TRANSFORMATION
-- edge: s.a#y -> d.b#y TRANSFORMATION
-- completeness: any

CREATE TABLE d.b AS FROM s.a SELECT id, COLUMNS('x|y')::VARCHAR
