-- columns: STG.P(ID, V, D)
-- columns: DW.X(ID, V, D)
-- columns: DW.F(ID, V, D)
-- edge: DW.F#D -> DW.X#D IDENTITY
-- edge: DW.F#ID -> DW.X#ID IDENTITY
-- edge: DW.F#V -> DW.X#V IDENTITY
-- edge: DW.X#D -> DW.F#D IDENTITY
-- edge: DW.X#ID -> DW.F#ID IDENTITY
-- edge: DW.X#V -> DW.F#V IDENTITY
-- edge: STG.P#D -> DW.X FILTER
-- edge: STG.P#D -> DW.X#D IDENTITY
-- edge: STG.P#ID -> DW.X#ID IDENTITY
-- edge: STG.P#V -> DW.X#V IDENTITY
-- completeness: complete

TRUNCATE TABLE dw.x DROP STORAGE;
INSERT /*+ APPEND PARALLEL(x, 8) */ INTO dw.x x (id, v, d) SELECT id, v, d FROM stg.p WHERE d = DATE '2024-06-01';
COMMIT;
ALTER TABLE dw.f EXCHANGE PARTITION FOR (DATE '2024-06-01') WITH TABLE dw.x INCLUDING INDEXES WITHOUT VALIDATION;
