-- columns: dw.m(x, y)
-- edge: raw.m#a -> dw.m#x TRANSFORMATION
-- edge: raw.m#b -> dw.m#x TRANSFORMATION
-- edge: raw.m#a -> dw.m#y TRANSFORMATION
-- edge: raw.m#b -> dw.m#y TRANSFORMATION
-- edge: raw.m#c -> dw.m#y TRANSFORMATION
-- edge: raw.m#a -> dw.m FILTER
-- edge: raw.m#b -> dw.m FILTER
-- completeness: any
-- note: an item may be named by later items and by WHERE

INSERT INTO dw.m
SELECT a + b AS x, x * c AS y FROM raw.m WHERE x > 0;
