-- columns: MART.A(ID, V, DAY)
-- edge: MART.A#ID -> file:@mart.out/a/#ID IDENTITY
-- edge: MART.A#V -> file:@mart.out/a/#V IDENTITY
-- edge: MART.A#DAY -> file:@mart.out/a/ FILTER
-- completeness: complete

copy into @mart.out/a/
from (select id, v from mart.a where day = '2024-01-01')
file_format = (type = parquet)
overwrite = true;
