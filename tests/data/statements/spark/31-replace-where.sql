-- columns: s.t(a,b,c)
-- columns: d.r(a,b,c)
-- edge: s.t#a -> d.r#a IDENTITY
-- edge: s.t#b -> d.r#b IDENTITY
-- edge: s.t#c -> d.r#c IDENTITY
-- edge: s.t#c -> d.r FILTER
-- edge: d.r#c -> d.r FILTER
-- completeness: complete

INSERT INTO d.r REPLACE WHERE c = 5 SELECT a, b, c FROM s.t WHERE c = 5
