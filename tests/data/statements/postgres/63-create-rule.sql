-- columns: d.v(id,x)
-- columns: d.t(id,x)
-- edge: d.v#id -> d.t#id IDENTITY
-- edge: d.v#x -> d.t#x IDENTITY
-- completeness: any

CREATE RULE r AS ON INSERT TO d.v DO INSTEAD INSERT INTO d.t (id, x) VALUES (new.id, new.x);
