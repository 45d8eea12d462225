-- columns: hive.dw.c(id, nm)
-- columns: hive.dw.o(cid, amt, at)
-- edge: hive.dw.c#id -> hive.mart.c#id IDENTITY
-- edge: hive.dw.c#nm -> hive.mart.c#nm IDENTITY
-- edge: hive.dw.o#amt -> hive.mart.c#amt IDENTITY
-- edge: hive.dw.o#cid -> hive.mart.c FILTER
-- edge: hive.dw.c#id -> hive.mart.c FILTER
-- edge: hive.dw.o#at -> hive.mart.c SORT
-- completeness: complete

CREATE TABLE hive.mart.c AS
SELECT c.id, c.nm, x.amt
FROM hive.dw.c c
LEFT JOIN LATERAL (
  SELECT o.amt FROM hive.dw.o o WHERE o.cid = c.id ORDER BY o.at DESC LIMIT 1
) x ON true;
