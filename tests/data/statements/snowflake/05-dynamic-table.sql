-- columns: DW.ORDERS(ID, CUST, AMT)
-- columns: DW.CUST(ID, REGION)
-- edge: DW.CUST#REGION -> MART.REGION_DT#REGION IDENTITY
-- edge: DW.ORDERS#AMT -> MART.REGION_DT#TOTAL AGGREGATION
-- edge: DW.ORDERS#CUST -> MART.REGION_DT JOIN
-- edge: DW.CUST#ID -> MART.REGION_DT JOIN
-- edge: DW.CUST#REGION -> MART.REGION_DT GROUP_BY
-- completeness: complete

create or replace dynamic table mart.region_dt
  target_lag = '10 minutes'
  warehouse = wh
as
select c.region, sum(o.amt) as total
from dw.orders o
join dw.cust c on c.id = o.cust
group by c.region;
