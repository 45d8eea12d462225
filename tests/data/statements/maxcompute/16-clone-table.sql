-- columns: dw.a(x, y)
-- columns: bak.a(x, y)
-- edge: dw.a#x -> bak.a#x IDENTITY
-- edge: dw.a#y -> bak.a#y IDENTITY
-- completeness: complete

CLONE TABLE dw.a PARTITION (ds='1') TO bak.a IF EXISTS OVERWRITE;
