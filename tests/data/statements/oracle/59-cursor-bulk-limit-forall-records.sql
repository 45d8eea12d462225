-- columns: SRC.B(ID,V)
-- columns: DW.B(ID,V)
-- edge: SRC.B#ID -> DW.B#ID IDENTITY
-- edge: SRC.B#V -> DW.B#V IDENTITY
-- completeness: any

CREATE OR REPLACE PROCEDURE dw.load_b IS
  CURSOR c IS SELECT id, v FROM src.b;
  TYPE t_rows IS TABLE OF c%ROWTYPE;
  l_rows t_rows;
BEGIN
  OPEN c;
  LOOP
    FETCH c BULK COLLECT INTO l_rows LIMIT 1000;
    EXIT WHEN l_rows.COUNT = 0;
    FORALL i IN 1 .. l_rows.COUNT
      INSERT INTO dw.b (id, v) VALUES (l_rows(i).id, l_rows(i).v);
  END LOOP;
  CLOSE c;
END load_b;
