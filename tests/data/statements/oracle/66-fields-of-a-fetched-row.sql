-- edge: SRC.B#ID -> DW.B#ID IDENTITY
-- edge: SRC.B#V -> DW.B#W IDENTITY
-- edge: SRC.B#Q -> DW.B FILTER
-- completeness: complete

DECLARE
  CURSOR c IS SELECT id, v FROM src.b WHERE q = 1;
  r c%ROWTYPE;
BEGIN
  OPEN c;
  LOOP
    FETCH c INTO r;
    INSERT INTO dw.b (id, w) VALUES (r.id, r.v);
  END LOOP;
END;
