-- columns: STG.R(ID, AMT, DAY)
-- columns: DW.R(ID, AMT, DAY)
-- edge: STG.R#ID -> DW.R#ID IDENTITY
-- edge: STG.R#DAY -> DW.R#DAY IDENTITY
-- edge: STG.R#AMT -> DW.R#AMT TRANSFORMATION
-- edge: DW.R#DAY -> DW.R FILTER
-- edge: STG.R#DAY -> DW.R FILTER
-- completeness: complete

execute immediate $$
declare
  n integer default 0;
begin
  delete from dw.r where day = current_date();
  insert into dw.r (id, amt, day)
    select id, coalesce(amt, 0), day from stg.r where day = current_date();
  n := sqlrowcount;
  return n;
end;
$$;
