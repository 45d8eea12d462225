-- columns: hive.raw.attr(obj, attrs)
-- columns: hive.dw.attr(obj, k, v)
-- edge: hive.raw.attr#obj -> hive.dw.attr#obj IDENTITY
-- edge: hive.raw.attr#attrs -> hive.dw.attr#k TRANSFORMATION
-- edge: hive.raw.attr#attrs -> hive.dw.attr#v TRANSFORMATION
-- completeness: complete

INSERT INTO hive.dw.attr
SELECT s.obj, m.k, m.v
FROM hive.raw.attr s, UNNEST(s.attrs) AS m (k, v);
