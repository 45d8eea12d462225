-- columns: ods.st(id,st,ts)
-- columns: dwd.chg(id,st,ts)
-- edge: ods.st#id -> dwd.chg#id IDENTITY
-- edge: ods.st#st -> dwd.chg#st IDENTITY
-- edge: ods.st#ts -> dwd.chg#ts IDENTITY
-- edge: ods.st#st -> dwd.chg FILTER
-- edge: ods.st#id -> dwd.chg FILTER
-- edge: ods.st#ts -> dwd.chg FILTER
-- completeness: complete

insert into dwd.chg
select id, st, ts from (
  select id, st, ts, lag(st) over (partition by id order by ts) as prev from ods.st
) x where prev is null or prev <> st;
