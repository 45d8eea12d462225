-- columns: s.q(id,cost)
-- columns: d.q(id,cost)
-- edge: s.q#id -> d.q#id IDENTITY
-- edge: s.q#cost -> d.q#cost IDENTITY
-- edge: s.q#cost -> d.q SORT
-- completeness: complete

do $$
declare r record;
begin
  for r in select id, cost from s.q order by cost limit 10 loop
    exit when r.cost > 100;
    insert into d.q (id, cost) values (r.id, r.cost);
  end loop;
end $$;
