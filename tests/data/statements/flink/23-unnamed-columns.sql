-- columns: d.t(a, b)
-- edge: d.t#a -> d.o#x TRANSFORMATION
-- edge: d.t#b -> d.o#y AGGREGATION
-- edge: d.t#a -> d.o GROUP_BY
-- completeness: complete

INSERT INTO d.o (x, y)
SELECT `EXPR$0`, `EXPR$1` FROM (SELECT a + 1, SUM(b) FROM d.t GROUP BY a);
