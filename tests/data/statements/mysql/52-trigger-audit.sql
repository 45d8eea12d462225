-- columns: d.a(id,v)
-- columns: d.audit(id,old_v,new_v)
-- edge: d.a#id -> d.audit#id IDENTITY
-- edge: d.a#v -> d.audit#old_v IDENTITY
-- edge: d.a#v -> d.audit#new_v IDENTITY
-- completeness: any

create trigger d.a_upd after update on d.a for each row
insert into d.audit (id, old_v, new_v) values (new.id, old.v, new.v);
