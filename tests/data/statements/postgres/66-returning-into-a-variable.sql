-- edge: s.x#a -> d.t#a IDENTITY
-- edge: d.t#id -> d.u#id IDENTITY
-- completeness: complete

do $$ declare v int; begin
  insert into d.t (a) select a from s.x returning id into strict v;
  insert into d.u (id) values (v);
end $$
