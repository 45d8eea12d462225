-- columns: hive.ods.a(id, v, dt)
-- columns: mysql_cat.crm.b(id, nm)
-- columns: internal.dw.ab(id, v, nm)
-- edge: hive.ods.a#id -> internal.dw.ab#id IDENTITY
-- edge: hive.ods.a#v -> internal.dw.ab#v IDENTITY
-- edge: mysql_cat.crm.b#nm -> internal.dw.ab#nm IDENTITY
-- edge: hive.ods.a#id -> internal.dw.ab JOIN
-- edge: mysql_cat.crm.b#id -> internal.dw.ab JOIN
-- edge: hive.ods.a#dt -> internal.dw.ab FILTER
-- completeness: complete

INSERT INTO internal.dw.ab
SELECT a.id, a.v, b.nm FROM hive.ods.a a JOIN mysql_cat.crm.b b ON a.id = b.id WHERE a.dt = '2024-01-01';
