-- columns: hive.a.s(k, v)
-- columns: hive.b.s(k, v)
-- edge: hive.a.s#k -> hive.mart.top#k IDENTITY
-- edge: hive.b.s#k -> hive.mart.top#k IDENTITY
-- edge: hive.a.s#v -> hive.mart.top#v IDENTITY
-- edge: hive.b.s#v -> hive.mart.top#v IDENTITY
-- edge: hive.a.s#v -> hive.mart.top SORT
-- edge: hive.b.s#v -> hive.mart.top SORT
-- completeness: complete

CREATE TABLE hive.mart.top AS
SELECT k, v FROM (SELECT k, v FROM hive.a.s UNION ALL SELECT k, v FROM hive.b.s) u ORDER BY v DESC LIMIT 100;
