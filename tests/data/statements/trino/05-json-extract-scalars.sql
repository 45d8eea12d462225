-- edge: hive.raw.hook#body -> hive.dw.hook#kind TRANSFORMATION
-- edge: hive.raw.hook#body -> hive.dw.hook#amount TRANSFORMATION
-- edge: hive.raw.hook#at -> hive.dw.hook#at IDENTITY
-- edge: hive.raw.hook#body -> hive.dw.hook FILTER
-- completeness: any

CREATE TABLE hive.dw.hook AS
SELECT json_extract_scalar(body, '$.kind') AS kind,
       CAST(json_extract_scalar(body, '$.amount') AS double) AS amount,
       at
FROM hive.raw.hook
WHERE json_extract_scalar(body, '$.kind') IS NOT NULL;
