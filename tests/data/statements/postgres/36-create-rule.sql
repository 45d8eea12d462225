-- columns: d.v(a)
-- edge: d.v#a -> d.t#a IDENTITY
-- completeness: any

CREATE RULE r AS ON INSERT TO d.v DO INSTEAD INSERT INTO d.t (a) VALUES (NEW.a)
