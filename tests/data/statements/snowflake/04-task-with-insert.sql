-- columns: RAW.T(A, B)
-- columns: DW.T(A, B)
-- edge: RAW.T#A -> DW.T#A IDENTITY
-- edge: RAW.T#B -> DW.T#B IDENTITY
-- edge: RAW.T#B -> DW.T FILTER
-- completeness: any

create or replace task dw.load_t
  warehouse = load_wh
  schedule = '5 minute'
as
insert into dw.t (a, b) select a, b from raw.t where b is not null;
