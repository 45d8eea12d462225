-- columns: hive.dw.e(u, ts, amt)
-- edge: hive.dw.e#u -> hive.mart.e#u IDENTITY
-- edge: hive.dw.e#ts -> hive.mart.e#next_ts TRANSFORMATION
-- edge: hive.dw.e#u -> hive.mart.e#next_ts WINDOW
-- edge: hive.dw.e#ts -> hive.mart.e#next_ts WINDOW
-- edge: hive.dw.e#amt -> hive.mart.e#q WINDOW
-- completeness: complete

CREATE TABLE hive.mart.e AS
SELECT u, lead(ts) OVER (PARTITION BY u ORDER BY ts) AS next_ts, ntile(4) OVER (ORDER BY amt) AS q FROM hive.dw.e;
