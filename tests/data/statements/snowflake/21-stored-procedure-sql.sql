-- columns: STG.INV(SKU, QTY)
-- columns: DW.INV(SKU, QTY)
-- edge: STG.INV#SKU -> DW.INV#SKU IDENTITY
-- edge: STG.INV#QTY -> DW.INV#QTY AGGREGATION
-- edge: STG.INV#SKU -> DW.INV GROUP_BY
-- completeness: any

create or replace procedure dw.load_inv()
returns string
language sql
as
$$
begin
  truncate table dw.inv;
  insert into dw.inv (sku, qty) select sku, sum(qty) from stg.inv group by sku;
  return 'ok';
end;
$$;
