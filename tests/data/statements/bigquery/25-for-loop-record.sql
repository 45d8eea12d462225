-- database: acme
-- columns: acme.dw.z(k, v)
-- edge: acme.stg.z#k -> acme.dw.z#k IDENTITY
-- edge: acme.stg.z#v -> acme.dw.z#v TRANSFORMATION
-- completeness: any

FOR r IN (SELECT k, v FROM stg.z)
DO
  INSERT INTO dw.z (k, v) VALUES (r.k, r.v * 2);
END FOR;
