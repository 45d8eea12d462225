-- columns: s.t(x, y, z)
-- columns: d.t(p, q)
-- edge: s.t#x -> d.t#p IDENTITY
-- edge: s.t#y -> d.t#q TRANSFORMATION
-- edge: s.t#z -> d.t FILTER
-- completeness: complete

DO $$
DECLARE
    a int;
    b text;
BEGIN
    FOR a, b IN SELECT x, y FROM s.t WHERE z > 1 LOOP
        INSERT INTO d.t (p, q) VALUES (a, upper(b));
    END LOOP;
END $$;
