-- columns: ods.log(id, name, mtime, ds)
-- columns: dw.cust(id, name)
-- edge: ods.log#id -> dw.cust#id IDENTITY
-- edge: ods.log#name -> dw.cust#name IDENTITY
-- edge: ods.log#id -> dw.cust FILTER
-- edge: ods.log#mtime -> dw.cust FILTER
-- edge: ods.log#ds -> dw.cust FILTER
-- completeness: complete

INSERT OVERWRITE TABLE dw.cust
SELECT id, name FROM (
  SELECT id, name, ROW_NUMBER() OVER (PARTITION BY id ORDER BY mtime DESC) AS rn
  FROM ods.log WHERE ds = MAX_PT('ods.log')
) t WHERE rn = 1;
