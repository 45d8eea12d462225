-- columns: RAW.A(ID, V)
-- columns: RAW.B(KEY, W)
-- columns: RAW.X(ID)
-- edge: RAW.A#ID -> DW.U#ID IDENTITY
-- edge: RAW.B#KEY -> DW.U#ID IDENTITY
-- edge: RAW.A#V -> DW.U#V IDENTITY
-- edge: RAW.B#W -> DW.U#V IDENTITY
-- edge: RAW.A#ID -> DW.U FILTER
-- edge: RAW.B#KEY -> DW.U FILTER
-- edge: RAW.X#ID -> DW.U FILTER
-- completeness: complete

create table dw.u as
with u as (
  select id, v from raw.a
  union all
  select key, w from raw.b
)
select id, v from u where id not in (select id from raw.x);
