-- columns: ods.a(id, ds)
-- columns: ods.b(id, ds)
-- edge: ods.a#id -> dw.o#id IDENTITY
-- edge: ods.b#id -> dw.o#id IDENTITY
-- edge: ods.a#ds -> dw.o FILTER
-- edge: ods.b#ds -> dw.o FILTER
-- completeness: complete

@day STRING := '20240101';
@a := SELECT id FROM ods.a WHERE ds = @day;
@b := SELECT id FROM ods.b WHERE ds = @day;
@u := SELECT * FROM @a UNION ALL SELECT * FROM @b;
INSERT OVERWRITE TABLE dw.o SELECT id FROM @u;
