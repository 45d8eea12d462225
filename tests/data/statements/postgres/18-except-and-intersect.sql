-- columns: x.a(id)
-- columns: x.b(id)
-- edge: x.a#id -> x.only_a#id IDENTITY
-- edge: x.b#id -> x.only_a FILTER
-- completeness: complete

CREATE TABLE x.only_a AS SELECT id FROM x.a EXCEPT SELECT id FROM x.b;
