-- columns: STG.X(ID, V)
-- columns: DW.X(ID, V)
-- edge: STG.X#ID -> DW.X#ID IDENTITY
-- edge: STG.X#V -> DW.X#V IDENTITY
-- completeness: any

CREATE OR REPLACE PROCEDURE dw.load_x AS
BEGIN
  DELETE FROM dw.x;
  INSERT INTO dw.x (id, v) SELECT id, v FROM stg.x;
  COMMIT;
END;
