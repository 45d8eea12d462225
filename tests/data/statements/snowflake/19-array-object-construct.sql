-- edge: RAW.P#ID -> DW.P#ID IDENTITY
-- edge: RAW.P#A -> DW.P#DOC TRANSFORMATION
-- edge: RAW.P#B -> DW.P#DOC TRANSFORMATION
-- completeness: any

create table dw.p as
select id, object_construct('a', a, 'b', b) as doc from raw.p;
