-- edge: RAW.INV#ID -> STG.INV_LINE#ID IDENTITY
-- edge: RAW.INV#DOC -> STG.INV_LINE#SKU TRANSFORMATION
-- edge: RAW.INV#DOC -> STG.INV_LINE#TAX TRANSFORMATION
-- edge: RAW.INV#DOC -> STG.INV_LINE FILTER
-- completeness: any

create or replace table stg.inv_line as
select i.id,
       l.value:sku::string as sku,
       x.value:rate::float as tax
from raw.inv i,
     lateral flatten(input => i.doc:lines) l,
     lateral flatten(input => l.value:taxes, outer => true) x
where l.value:qty::int > 0;
