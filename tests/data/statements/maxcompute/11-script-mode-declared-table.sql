-- columns: ods.a(id, v)
-- edge: ods.a#id -> dw.o#k IDENTITY
-- edge: ods.a#v -> dw.o#n IDENTITY
-- completeness: complete

@t TABLE (k BIGINT, n STRING);
@t := SELECT id, v FROM ods.a;
INSERT OVERWRITE TABLE dw.o SELECT k, n FROM @t;
