-- columns: d.s(id,k,v)
-- columns: d.a(id,v)
-- columns: d.b(k,n)
-- edge: d.s#id -> d.a#id IDENTITY
-- edge: d.s#v -> d.a#v IDENTITY
-- edge: d.s#v -> d.a FILTER
-- edge: d.s#k -> d.b#k IDENTITY
-- edge: d.s -> d.b#n AGGREGATION
-- edge: d.s#k -> d.b GROUP_BY
-- edge: d.s#v -> d.b FILTER
-- completeness: complete

CREATE TEMPORARY VIEW good AS SELECT * FROM d.s WHERE v > 0;
BEGIN STATEMENT SET;
INSERT INTO d.a SELECT id, v FROM good;
INSERT INTO d.b SELECT k, COUNT(*) FROM good GROUP BY k;
END;
