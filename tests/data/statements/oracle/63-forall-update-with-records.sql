-- columns: S.A(ID,V)
-- columns: D.A(ID,V)
-- edge: S.A#V -> D.A#V IDENTITY
-- edge: S.A#ID -> D.A FILTER
-- edge: D.A#ID -> D.A FILTER
-- completeness: any

DECLARE
  CURSOR c IS SELECT id, v FROM s.a;
  TYPE t IS TABLE OF c%ROWTYPE INDEX BY PLS_INTEGER;
  l t;
BEGIN
  OPEN c;
  FETCH c BULK COLLECT INTO l;
  CLOSE c;
  FORALL k IN INDICES OF l SAVE EXCEPTIONS
    UPDATE d.a SET v = l(k).v WHERE id = l(k).id;
END;
