-- columns: hive.stg.pay(pid, amt, cur)
-- columns: hive.dw.pay(pid, amt, cur)
-- edge: hive.stg.pay#pid -> hive.dw.pay#pid IDENTITY
-- edge: hive.stg.pay#amt -> hive.dw.pay#amt IDENTITY
-- edge: hive.stg.pay#cur -> hive.dw.pay#cur IDENTITY
-- edge: hive.stg.pay#pid -> hive.dw.pay FILTER
-- edge: hive.dw.pay#pid -> hive.dw.pay FILTER
-- completeness: complete

INSERT INTO hive.dw.pay (pid, amt, cur)
SELECT s.pid, s.amt, s.cur
FROM hive.stg.pay s
WHERE NOT EXISTS (SELECT 1 FROM hive.dw.pay p WHERE p.pid = s.pid);
