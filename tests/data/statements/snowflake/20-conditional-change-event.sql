-- columns: RAW.H(ID, STATUS, AT)
-- edge: RAW.H#ID -> MART.CHANGES#ID IDENTITY
-- edge: RAW.H#AT -> MART.CHANGES#CHANGED_AT IDENTITY
-- edge: RAW.H#STATUS -> MART.CHANGES#FROM_STATUS TRANSFORMATION
-- edge: RAW.H#ID -> MART.CHANGES#FROM_STATUS WINDOW
-- edge: RAW.H#AT -> MART.CHANGES#FROM_STATUS WINDOW
-- edge: RAW.H#STATUS -> MART.CHANGES#TO_STATUS IDENTITY
-- edge: RAW.H#STATUS -> MART.CHANGES FILTER
-- edge: RAW.H#ID -> MART.CHANGES FILTER
-- edge: RAW.H#AT -> MART.CHANGES FILTER
-- completeness: complete

create or replace table mart.changes as
select id, at as changed_at, prev as from_status, status as to_status
from (
  select id, at, status, lag(status) over (partition by id order by at) as prev
  from raw.h
)
where prev is distinct from status;
