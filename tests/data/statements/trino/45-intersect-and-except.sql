-- columns: hive.a.sub(msisdn)
-- columns: hive.b.sub(msisdn)
-- columns: hive.c.block(msisdn)
-- edge: hive.a.sub#msisdn -> hive.mart.both#msisdn IDENTITY
-- edge: hive.b.sub#msisdn -> hive.mart.both#msisdn IDENTITY
-- edge: hive.c.block#msisdn -> hive.mart.both#msisdn CONDITIONAL
-- edge: hive.b.sub#msisdn -> hive.mart.both FILTER
-- edge: hive.c.block#msisdn -> hive.mart.both FILTER
-- completeness: complete

CREATE TABLE hive.mart.both AS
(
  SELECT msisdn FROM hive.a.sub
  INTERSECT
  SELECT msisdn FROM hive.b.sub
)
EXCEPT
SELECT msisdn FROM hive.c.block;
