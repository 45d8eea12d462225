-- columns: s.t(id,tag,ord)
-- columns: d.t(id,tags)
-- edge: s.t#id -> d.t#id IDENTITY
-- edge: s.t#tag -> d.t#tags AGGREGATION
-- edge: s.t#ord -> d.t#tags SORT
-- edge: s.t#id -> d.t GROUP_BY
-- edge: s.t#id -> d.t JOIN
-- edge: d.t#id -> d.t JOIN
-- completeness: complete

create temp table x as select id, listagg(tag, ',') within group (order by ord) as tags from s.t group by id;
merge into d.t using x on d.t.id = x.id
when matched then update set tags = x.tags
when not matched then insert (id, tags) values (x.id, x.tags);
