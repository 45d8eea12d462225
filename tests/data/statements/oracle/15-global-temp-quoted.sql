-- columns: RAW.Mixed(Id, VAL)
-- columns: DW.M(ID, VAL)
-- edge: RAW.Mixed#Id -> DW.M#ID IDENTITY
-- edge: RAW.Mixed#VAL -> DW.M#VAL IDENTITY
-- completeness: complete

INSERT INTO dw.m (id, val) SELECT "Id", val FROM raw."Mixed";
