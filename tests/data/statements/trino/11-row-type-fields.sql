-- columns: hive.raw.ship(id, dest row(city varchar, zip varchar))
-- edge: hive.raw.ship#id -> hive.dw.ship#id IDENTITY
-- edge: hive.raw.ship#dest.city -> hive.dw.ship#city IDENTITY
-- edge: hive.raw.ship#dest.zip -> hive.dw.ship#zip3 TRANSFORMATION
-- completeness: complete

CREATE TABLE hive.dw.ship AS
SELECT s.id, s.dest.city AS city, substr(s.dest.zip, 1, 3) AS zip3
FROM hive.raw.ship s;
