-- columns: ods.k(a, b)
-- columns: dw.k(a, b)
-- edge: ods.k#a -> dw.k#a IDENTITY
-- edge: ods.k#b -> dw.k#b IDENTITY
-- completeness: complete

INSERT INTO dw.k WITH LABEL l_20240101 (a, b) SELECT a, b FROM ods.k;
