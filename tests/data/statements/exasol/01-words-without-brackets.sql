-- completeness: complete
-- edge: SRC.E#ID -> DW.T#ID IDENTITY

INSERT INTO dw.t (id, lv, rn, d, u) SELECT id, level, rownum, sysdate, user FROM src.e
