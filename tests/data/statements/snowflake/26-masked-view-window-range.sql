-- edge: DW.PX#SYM -> MART.PX#SYM IDENTITY
-- edge: DW.PX#D -> MART.PX#D IDENTITY
-- edge: DW.PX#CLOSE -> MART.PX#MA7 AGGREGATION
-- edge: DW.PX#SYM -> MART.PX#MA7 WINDOW
-- edge: DW.PX#D -> MART.PX#MA7 WINDOW
-- edge: DW.PX#CLOSE -> MART.PX#CHG TRANSFORMATION
-- edge: DW.PX#SYM -> MART.PX#CHG WINDOW
-- edge: DW.PX#D -> MART.PX#CHG WINDOW
-- completeness: any

create or replace view mart.px as
select sym, d,
       avg(close) over (partition by sym order by d rows between 6 preceding and current row) as ma7,
       close - lag(close) over (partition by sym order by d) as chg
from dw.px;
