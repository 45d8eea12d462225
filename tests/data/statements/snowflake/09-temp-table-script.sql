-- columns: DW.CAT_AVG(CAT, AVG_PRICE)
-- edge: RAW.P#CAT -> DW.CAT_AVG#CAT IDENTITY
-- edge: RAW.P#PRICE -> DW.CAT_AVG#AVG_PRICE AGGREGATION
-- edge: RAW.P#PRICE -> DW.CAT_AVG FILTER
-- edge: RAW.P#CAT -> DW.CAT_AVG GROUP_BY
-- completeness: any

create or replace temporary table tmp_p as select cat, price from raw.p where price > 0;
delete from dw.cat_avg;
insert into dw.cat_avg select cat, avg(price) from tmp_p group by cat;
drop table tmp_p;
