-- columns: DW.S(D,N)
-- edge: DW.X -> DW.S#N AGGREGATION
-- edge: DW.X#DAY -> DW.S FILTER
-- completeness: complete

insert into dw.s (d, n)
with spine as (
  select dateadd(day, seq4(), '2024-01-01'::date) as d from table(generator(rowcount => 365))
)
select s.d, (select count(*) from dw.x where x.day = s.d) from spine s;
