-- columns: STG.X(ID, STATUS, V)
-- columns: DW.X(ID, FLAG, V)
-- edge: STG.X#ID -> DW.X#ID IDENTITY
-- edge: STG.X#STATUS -> DW.X#FLAG CONDITIONAL
-- edge: STG.X#V -> DW.X#V TRANSFORMATION
-- completeness: complete

insert overwrite into dw.x (id, flag, v)
select id, iff(status = 'A', 1, 0), zeroifnull(v) from stg.x;
