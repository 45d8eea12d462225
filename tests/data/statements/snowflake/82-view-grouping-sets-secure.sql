-- columns: DW.SHIPMENT(CARRIER, LANE, COST, SHIPPED_ON)
-- edge: DW.SHIPMENT#CARRIER -> RPT.SHIP_COST#CARRIER IDENTITY
-- edge: DW.SHIPMENT#LANE -> RPT.SHIP_COST#LANE IDENTITY
-- edge: DW.SHIPMENT#COST -> RPT.SHIP_COST#COST AGGREGATION
-- edge: DW.SHIPMENT#SHIPPED_ON -> RPT.SHIP_COST FILTER
-- edge: DW.SHIPMENT#CARRIER -> RPT.SHIP_COST GROUP_BY
-- edge: DW.SHIPMENT#LANE -> RPT.SHIP_COST GROUP_BY
-- completeness: complete

create or replace secure view rpt.ship_cost as
select carrier, lane, sum(cost) as cost
from dw.shipment
where shipped_on >= dateadd('year', -1, current_date())
group by grouping sets ((carrier, lane), (carrier), ());
