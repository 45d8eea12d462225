-- columns: STG.C(ID, V, ST)
-- columns: DW.C(ID, V)
-- edge: STG.C#ID -> DW.C#ID IDENTITY
-- edge: STG.C#V -> DW.C#V IDENTITY
-- completeness: complete

DECLARE
  CURSOR cur IS SELECT id, v FROM stg.c;
BEGIN
  FOR rec IN cur LOOP
    INSERT INTO dw.c (id, v) VALUES (rec.id, rec.v);
  END LOOP;
END;
