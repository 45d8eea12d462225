-- columns: a.t(id,v)
-- columns: b.t(id,v)
-- columns: c.t(id)
-- edge: a.t#id -> b.t#id IDENTITY
-- edge: a.t#v -> b.t#v IDENTITY
-- edge: a.t#v -> b.t FILTER
-- edge: a.t#v -> a.t FILTER
-- edge: b.t#id -> c.t#id IDENTITY
-- edge: a.t#v -> c.t FILTER
-- completeness: complete

with gone as (delete from a.t where v < 0 returning id, v),
     kept as (insert into b.t (id, v) select id, v from gone returning id)
insert into c.t (id) select id from kept;
