-- columns: hive.raw.cdc(id, val, lsn)
-- columns: hive.dw.cur(id, val)
-- edge: hive.raw.cdc#id -> hive.dw.cur#id IDENTITY
-- edge: hive.raw.cdc#val -> hive.dw.cur#val IDENTITY
-- edge: hive.raw.cdc#id -> hive.dw.cur FILTER
-- edge: hive.raw.cdc#lsn -> hive.dw.cur FILTER
-- completeness: complete

INSERT INTO hive.dw.cur
WITH ranked AS (
  SELECT id, val, row_number() OVER (PARTITION BY id ORDER BY lsn DESC) AS rn
  FROM hive.raw.cdc
)
SELECT id, val FROM ranked WHERE rn = 1;
