-- edge: S.X#ID -> D.Y#ID IDENTITY
-- completeness: complete

DECLARE
  TYPE t IS TABLE OF NUMBER;
  l t;
BEGIN
  SELECT id BULK COLLECT INTO l FROM s.x;
  FOR i IN 1 .. l.COUNT LOOP
    INSERT INTO d.y (id) VALUES (l(i));
  END LOOP;
END;
