-- columns: d.a(x)
-- columns: d.b(y)
-- edge: d.a#x -> d.t#x IDENTITY
-- edge: d.b#y -> d.t#y IDENTITY
-- completeness: complete

CREATE TABLE d.t AS SELECT x, y FROM d.a POSITIONAL JOIN d.b
