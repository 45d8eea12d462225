-- columns: DW.T(GRP, TAG, VAL, SEQ)
-- edge: DW.T#GRP -> MART.T#GRP IDENTITY
-- edge: DW.T#TAG -> MART.T#TAGS AGGREGATION
-- edge: DW.T#SEQ -> MART.T#TAGS SORT
-- edge: DW.T#VAL -> MART.T#VALS AGGREGATION
-- edge: DW.T#GRP -> MART.T GROUP_BY
-- completeness: complete

create table mart.t as
select grp,
       listagg(tag, ',') within group (order by seq) as tags,
       array_agg(val) as vals
from dw.t
group by grp;
