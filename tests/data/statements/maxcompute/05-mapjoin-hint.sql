-- columns: dw.big(id, k, v)
-- columns: dim.small(k, name)
-- edge: dw.big#id -> dw.o#id IDENTITY
-- edge: dim.small#name -> dw.o#name IDENTITY
-- edge: dw.big#k -> dw.o JOIN
-- edge: dim.small#k -> dw.o JOIN
-- edge: dw.big#v -> dw.o JOIN
-- completeness: complete

CREATE TABLE dw.o LIFECYCLE 7 AS
SELECT /*+ MAPJOIN(b) */ a.id, b.name
FROM dw.big a JOIN dim.small b ON a.k = b.k OR a.v > 3;
