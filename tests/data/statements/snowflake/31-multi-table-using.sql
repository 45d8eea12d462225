-- columns: DW.O(ID, CID, PID, QTY)
-- columns: DW.C(CID, NM)
-- columns: DW.P(PID, PRICE)
-- edge: DW.C#NM -> MART.O#NM IDENTITY
-- edge: DW.O#QTY -> MART.O#VAL AGGREGATION
-- edge: DW.P#PRICE -> MART.O#VAL AGGREGATION
-- edge: DW.O#CID -> MART.O JOIN
-- edge: DW.C#CID -> MART.O JOIN
-- edge: DW.O#PID -> MART.O JOIN
-- edge: DW.P#PID -> MART.O JOIN
-- edge: DW.C#NM -> MART.O GROUP_BY
-- completeness: complete

create or replace table mart.o cluster by (nm) as
select c.nm, sum(o.qty * p.price) as val
from dw.o o
join dw.c c using (cid)
join dw.p p using (pid)
group by all;
