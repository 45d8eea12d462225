-- columns: p.s.n(id,x)
-- columns: p.d.m(id,x)
-- edge: p.s.n#id -> p.d.m#id IDENTITY
-- edge: p.s.n#x -> p.d.m#x IDENTITY
-- completeness: complete

BEGIN
  BEGIN TRANSACTION;
  DELETE FROM p.d.m WHERE TRUE;
  INSERT INTO p.d.m (id, x) SELECT id, x FROM p.s.n;
  COMMIT TRANSACTION;
EXCEPTION WHEN ERROR THEN
  ROLLBACK TRANSACTION;
END;
