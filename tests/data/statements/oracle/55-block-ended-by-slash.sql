-- completeness: complete
-- edge: SRC.SEQ_T#ID -> DW.T#ID AGGREGATION

DECLARE
  l_id dw.t.id%TYPE;
BEGIN
  SELECT MAX(id) + 1 INTO l_id FROM src.seq_t;
  INSERT INTO dw.t (id, nm) VALUES (l_id, 'x');
END;
/
