-- edge: DW.A#ID -> RPT.A#ID IDENTITY
-- edge: DW.A#MOBILE -> RPT.A#CONTACT TRANSFORMATION
-- edge: DW.A#PHONE -> RPT.A#CONTACT TRANSFORMATION
-- edge: DW.A#ID -> RPT.A FILTER
-- completeness: any

create or replace secure view rpt.a comment = 'contacts' as
select id, coalesce(mobile, phone) as contact from dw.a where id > 0;
