-- columns: ods.t(a, b)
-- edge: ods.t#a -> dw.o#x TRANSFORMATION
-- edge: ods.t#b -> dw.o#y AGGREGATION
-- edge: ods.t#a -> dw.o GROUP_BY
-- completeness: complete

INSERT OVERWRITE TABLE dw.o (x, y)
SELECT `_c0`, `_c1` FROM (SELECT CONCAT(a, 'x'), SUM(b) FROM ods.t GROUP BY CONCAT(a, 'x')) q;
