-- completeness: complete
-- edge: SRC.E#ID -> DW.T#ID IDENTITY

INSERT INTO dw.t (id, lv, rn, d, ts, u, i, nv, cv)
SELECT id, level, rownum, sysdate, systimestamp, user, uid, dw.sq.nextval, sq2.currval FROM src.e
