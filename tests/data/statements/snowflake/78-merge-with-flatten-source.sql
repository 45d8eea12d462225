-- columns: RAW.E(ID,ITEMS,TS)
-- columns: DW.I(ID,SKU,QTY)
-- edge: RAW.E#ID -> DW.I#ID IDENTITY
-- edge: RAW.E#ITEMS -> DW.I#SKU TRANSFORMATION
-- edge: RAW.E#ITEMS -> DW.I#QTY TRANSFORMATION
-- edge: RAW.E#ID -> DW.I JOIN
-- edge: DW.I#ID -> DW.I JOIN
-- edge: RAW.E#ITEMS -> DW.I JOIN
-- edge: DW.I#SKU -> DW.I JOIN
-- edge: RAW.E#TS -> DW.I FILTER
-- completeness: complete

merge into dw.i t using (
  select e.id, f.value:sku::string as sku, f.value:qty::int as qty
  from raw.e e, lateral flatten(input => e.items) f where e.ts > dateadd(day, -1, current_timestamp())
) s on t.id = s.id and t.sku = s.sku
when matched then update set qty = s.qty
when not matched then insert (id, sku, qty) values (s.id, s.sku, s.qty);
