-- columns: RAW.J(ID,DOC)
-- edge: RAW.J#ID -> DW.J#ID IDENTITY
-- edge: RAW.J#DOC -> DW.J#PATH TRANSFORMATION
-- edge: RAW.J#DOC -> DW.J#VAL TRANSFORMATION
-- edge: RAW.J#DOC -> DW.J FILTER
-- completeness: complete

create table dw.j as
select r.id, f.path, f.value::string as val
from raw.j r, table(flatten(input => r.doc, recursive => true)) f
where typeof(f.value) <> 'OBJECT';
