-- columns: d.v(a)
-- completeness: any

CREATE RULE r AS ON INSERT TO d.v DO INSTEAD INSERT INTO d.t (a) VALUES (NEW.a)
