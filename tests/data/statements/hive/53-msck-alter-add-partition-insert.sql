-- columns: a.e(id)
-- columns: b.e(id)
-- edge: a.e#id -> b.e#id IDENTITY
-- completeness: complete

msck repair table a.e;
alter table b.e drop if exists partition (dt='2023-12-31');
alter table b.e set tblproperties ('k'='v');
insert into b.e partition (dt='2024-01-01') select id from a.e;
