-- columns: RAW.ORDERS(ORDER_ID, LINES)
-- edge: RAW.ORDERS#ORDER_ID -> STG.ORDER_LINES#ORDER_ID IDENTITY
-- edge: RAW.ORDERS#LINES -> STG.ORDER_LINES#SKU TRANSFORMATION
-- edge: RAW.ORDERS#LINES -> STG.ORDER_LINES#QTY TRANSFORMATION
-- edge: RAW.ORDERS#LINES -> STG.ORDER_LINES#POS TRANSFORMATION
-- completeness: complete

create table stg.order_lines as
select o.order_id, f.value:sku::string as sku, f.value:qty::int as qty, f.index as pos
from raw.orders o, lateral flatten(input => o.lines) f;
