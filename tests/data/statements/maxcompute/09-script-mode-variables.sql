-- columns: ods.a(id, v)
-- columns: ods.b(id, w)
-- edge: ods.a#id -> dw.o#id IDENTITY
-- edge: ods.b#w -> dw.o#w IDENTITY
-- edge: ods.a#v -> dw.o FILTER
-- edge: ods.a#id -> dw.o JOIN
-- edge: ods.b#id -> dw.o JOIN
-- completeness: complete

@a := SELECT id FROM ods.a WHERE v > 1;
@b := SELECT * FROM ods.b;
@c := SELECT x.id, y.w FROM @a x JOIN @b y ON x.id = y.id;
INSERT OVERWRITE TABLE dw.o SELECT id, w FROM @c;
