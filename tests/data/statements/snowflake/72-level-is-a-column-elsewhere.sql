-- completeness: complete
-- edge: SRC.E#ID -> DW.T#ID IDENTITY
-- edge: SRC.E#LEVEL -> DW.T#LV IDENTITY

INSERT INTO dw.t (id, lv) SELECT id, level FROM src.e
