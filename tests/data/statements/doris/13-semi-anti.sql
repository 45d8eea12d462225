-- columns: ods.o(id, c)
-- columns: dim.good(c)
-- columns: dim.bad(c)
-- columns: dwd.o(id, c)
-- edge: ods.o#id -> dwd.o#id IDENTITY
-- edge: ods.o#c -> dwd.o#c IDENTITY
-- edge: ods.o#c -> dwd.o JOIN
-- edge: dim.good#c -> dwd.o JOIN
-- edge: dim.bad#c -> dwd.o JOIN
-- completeness: complete

INSERT INTO dwd.o
SELECT o.id, o.c FROM ods.o o
LEFT SEMI JOIN dim.good g ON o.c = g.c
LEFT ANTI JOIN dim.bad b ON o.c = b.c;
