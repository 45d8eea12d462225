-- columns: S.A(ID,V)
-- columns: D.A(ID,V)
-- columns: D.B(ID,N)
-- edge: S.A#ID -> D.A#ID IDENTITY
-- edge: S.A#V -> D.A#V IDENTITY
-- edge: S.A#V -> D.A FILTER
-- edge: D.A#ID -> D.B#ID IDENTITY
-- edge: D.A -> D.B#N AGGREGATION
-- edge: D.A#ID -> D.B GROUP_BY
-- completeness: any

CREATE OR REPLACE PACKAGE BODY d.p IS
  PROCEDURE a IS BEGIN
    INSERT INTO d.a (id, v) SELECT id, v FROM s.a WHERE v > 0;
  END a;
  PROCEDURE b IS BEGIN
    a;
    INSERT INTO d.b (id, n) SELECT id, COUNT(*) FROM d.a GROUP BY id;
  END b;
END p;
/
