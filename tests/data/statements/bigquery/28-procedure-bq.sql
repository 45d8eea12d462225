-- database: acme
-- columns: acme.stg.p(k, v)
-- columns: acme.dw.p(k, v)
-- edge: acme.stg.p#k -> acme.dw.p#k IDENTITY
-- edge: acme.stg.p#v -> acme.dw.p#v IDENTITY
-- edge: acme.stg.p#v -> acme.dw.p FILTER
-- completeness: any

CREATE OR REPLACE PROCEDURE dw.load_p(min_v INT64)
BEGIN
  TRUNCATE TABLE dw.p;
  INSERT INTO dw.p (k, v) SELECT k, v FROM stg.p WHERE v > min_v;
END;
