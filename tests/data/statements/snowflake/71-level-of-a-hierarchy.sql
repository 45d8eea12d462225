-- completeness: complete
-- edge: SRC.E#ID -> DW.T JOIN
-- edge: SRC.E#ID -> DW.T#ID IDENTITY
-- edge: SRC.E#NM -> DW.T#R TRANSFORMATION
-- edge: SRC.E#PID -> DW.T JOIN

INSERT INTO dw.t (id, lv, nv, r)
SELECT id, level, dw.sq.nextval, connect_by_root nm FROM src.e CONNECT BY PRIOR id = pid
