-- columns: S.J(ID, DOC)
-- edge: S.J#ID -> D.T#ID IDENTITY
-- edge: S.J#DOC -> D.T#SKU TRANSFORMATION
-- edge: S.J#DOC -> D.T FILTER
-- completeness: complete

create table d.t as select j.id, f.value:sku::string as sku from s.j j, table(flatten(input => j.doc:items, outer => true)) f where f.index < 10;
