-- columns: DW.DIM_C(K, NM, CITY, ROW_HASH, VALID)
-- columns: STG.C(K, NM, CITY)
-- edge: STG.C#K -> DW.DIM_C#K IDENTITY
-- edge: STG.C#NM -> DW.DIM_C#NM IDENTITY
-- edge: STG.C#CITY -> DW.DIM_C#CITY IDENTITY
-- edge: STG.C#NM -> DW.DIM_C#ROW_HASH TRANSFORMATION
-- edge: STG.C#CITY -> DW.DIM_C#ROW_HASH TRANSFORMATION
-- edge: DW.DIM_C#K -> DW.DIM_C JOIN
-- edge: STG.C#K -> DW.DIM_C JOIN
-- edge: DW.DIM_C#ROW_HASH -> DW.DIM_C FILTER
-- edge: STG.C#NM -> DW.DIM_C FILTER
-- edge: STG.C#CITY -> DW.DIM_C FILTER
-- completeness: complete

merge into dw.dim_c as t
using (
  select k, nm, city, md5(nm || '|' || city) as row_hash
  from stg.c
) as s
on t.k = s.k
when matched and t.row_hash <> s.row_hash then
  update set nm = s.nm, city = s.city, row_hash = s.row_hash
when not matched then
  insert (k, nm, city, row_hash, valid) values (s.k, s.nm, s.city, s.row_hash, true);
