-- completeness: complete
-- edge: dw.a#id -> dw.a JOIN
-- edge: dw.a#id -> dw.b JOIN
-- edge: dw.a#old -> dw.a FILTER
-- edge: dw.a#old -> dw.b FILTER
-- edge: dw.b#aid -> dw.a JOIN
-- edge: dw.b#aid -> dw.b JOIN

DELETE a, b FROM dw.a AS a INNER JOIN dw.b AS b ON b.aid = a.id WHERE a.old = 1
