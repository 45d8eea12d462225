-- completeness: complete
-- edge: SRC.EMP#ID -> DW.ORG JOIN
-- edge: SRC.EMP#ID -> DW.ORG#ID IDENTITY
-- edge: SRC.EMP#MGR -> DW.ORG JOIN
-- edge: SRC.EMP#NM -> DW.ORG SORT
-- edge: SRC.EMP#NM -> DW.ORG#PATH TRANSFORMATION

INSERT /*+ APPEND */ INTO dw.org (id, path, lvl) SELECT id, SYS_CONNECT_BY_PATH(nm, '/'), LEVEL FROM src.emp START WITH mgr IS NULL CONNECT BY NOCYCLE PRIOR id = mgr ORDER SIBLINGS BY nm
