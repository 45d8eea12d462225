-- database: acme
-- columns: acme.stg.f(k, v, day)
-- columns: acme.dw.f(k, v, day)
-- columns: acme.ops.log(job, rows_in)
-- edge: acme.stg.f#k -> acme.dw.f#k IDENTITY
-- edge: acme.stg.f#v -> acme.dw.f#v IDENTITY
-- edge: acme.stg.f#day -> acme.dw.f#day IDENTITY
-- edge: acme.stg.f#day -> acme.dw.f FILTER
-- edge: acme.dw.f#day -> acme.dw.f FILTER
-- edge: acme.stg.f#v -> acme.ops.log#rows_in AGGREGATION
-- completeness: complete

DECLARE d DATE DEFAULT DATE '2024-01-01';
WHILE d < DATE '2024-01-05' DO
  DELETE FROM dw.f WHERE day = d;
  INSERT INTO dw.f (k, v, day) SELECT k, v, day FROM stg.f WHERE day = d;
  SET d = DATE_ADD(d, INTERVAL 1 DAY);
END WHILE;
IF d > DATE '2024-01-04' THEN
  INSERT INTO ops.log (job, rows_in) SELECT 'f', COUNT(v) FROM stg.f;
END IF;
