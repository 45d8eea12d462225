-- columns: SRC.A(ID,AMT,ST)
-- columns: DW.A(ID,AMT)
-- edge: SRC.A#ID -> DW.A#ID IDENTITY
-- edge: SRC.A#AMT -> DW.A#AMT IDENTITY
-- edge: SRC.A#ST -> DW.A FILTER
-- completeness: any

DECLARE
  TYPE t_ids IS TABLE OF src.a.id%TYPE;
  TYPE t_amts IS TABLE OF src.a.amt%TYPE;
  l_ids t_ids;
  l_amts t_amts;
BEGIN
  SELECT id, amt BULK COLLECT INTO l_ids, l_amts FROM src.a WHERE st = 'N';
  FORALL i IN 1 .. l_ids.COUNT
    INSERT INTO dw.a (id, amt) VALUES (l_ids(i), l_amts(i));
  COMMIT;
END;
