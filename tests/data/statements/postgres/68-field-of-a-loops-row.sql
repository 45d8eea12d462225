-- edge: s.t#b -> d.x#v IDENTITY
-- edge: s.t#a -> d.x FILTER
-- edge: s.t#c -> d.x FILTER
-- edge: d.x#id -> d.x FILTER
-- note: the changed table's columns are not known: r may look like a struct of it
-- completeness: complete

do $$ declare r record; begin
  for r in select a, b from s.t where c > 1 loop
    update d.x set v = r.b where id = r.a;
  end loop;
end $$
