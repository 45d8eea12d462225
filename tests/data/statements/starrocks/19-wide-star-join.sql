-- columns: ods.wide(id, c1, c2, c3)
-- columns: dim.d(id, nm)
-- columns: dw.wide(id, c1, c2, c3, nm)
-- edge: ods.wide#id -> dw.wide#id IDENTITY
-- edge: ods.wide#c1 -> dw.wide#c1 IDENTITY
-- edge: ods.wide#c2 -> dw.wide#c2 IDENTITY
-- edge: ods.wide#c3 -> dw.wide#c3 IDENTITY
-- edge: dim.d#nm -> dw.wide#nm IDENTITY
-- edge: ods.wide#c1 -> dw.wide JOIN
-- edge: dim.d#id -> dw.wide JOIN
-- completeness: complete

INSERT INTO dw.wide SELECT o.*, d.nm FROM ods.wide o LEFT JOIN dim.d d ON o.c1 = d.id;
