-- columns: MART.M(EMP, MONTH, AMT)
-- edge: MART.M#EMP -> MART.MP#EMP IDENTITY
-- edge: MART.M#AMT -> MART.MP#JAN AGGREGATION
-- edge: MART.M#MONTH -> MART.MP#JAN CONDITIONAL
-- edge: MART.M#AMT -> MART.MP#FEB AGGREGATION
-- edge: MART.M#MONTH -> MART.MP#FEB CONDITIONAL
-- edge: MART.M#EMP -> MART.MP GROUP_BY
-- completeness: complete

create table mart.mp as
select * from (select emp, month, amt from mart.m)
pivot (sum(amt) for month in ('JAN', 'FEB')) as p (emp, jan, feb);
