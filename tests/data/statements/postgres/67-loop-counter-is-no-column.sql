-- edge: s.q#v -> d.t#v IDENTITY
-- edge: s.q#k -> d.t FILTER
-- note: the table's columns are not known, and the counter's name could be one
-- completeness: complete

do $$ begin
  for i in 1 .. 10 loop
    insert into d.t (n, v) select i, v from s.q where k = i;
  end loop;
end $$
