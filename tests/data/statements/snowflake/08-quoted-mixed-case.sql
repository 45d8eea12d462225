-- edge: RAW.Orders#orderId -> DW.O#ID IDENTITY
-- edge: RAW.Orders#Total -> DW.O#TOTAL TRANSFORMATION
-- completeness: any

create or replace table dw.o as
select "orderId" as id, "Total" * 100 as total from raw."Orders";
