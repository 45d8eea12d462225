-- columns: RAW.EV(ID, KIND, V)
-- columns: DW.CLICKS(ID, V)
-- columns: DW.VIEWS(ID, V)
-- edge: RAW.EV#ID -> DW.CLICKS#ID IDENTITY
-- edge: RAW.EV#V -> DW.CLICKS#V IDENTITY
-- edge: RAW.EV#KIND -> DW.CLICKS FILTER
-- edge: RAW.EV#ID -> DW.VIEWS#ID IDENTITY
-- edge: RAW.EV#V -> DW.VIEWS#V IDENTITY
-- edge: RAW.EV#KIND -> DW.VIEWS FILTER
-- completeness: complete

insert all
  when kind = 'click' then into dw.clicks (id, v) values (id, v)
  when kind = 'view' then into dw.views (id, v) values (id, v)
select id, kind, v from raw.ev;
