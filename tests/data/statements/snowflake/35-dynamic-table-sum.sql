-- columns: R.O(ID,AMT,AT)
-- edge: R.O#ID -> A.D#ID IDENTITY
-- edge: R.O#AMT -> A.D#T AGGREGATION
-- edge: R.O#ID -> A.D GROUP_BY
-- edge: R.O#AT -> A.D FILTER
-- completeness: complete

create or replace dynamic table a.d target_lag = '1 hour' warehouse = wh as select id, sum(amt) t from r.o where at > dateadd(day, -7, current_date) group by id
