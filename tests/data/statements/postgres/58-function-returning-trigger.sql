-- columns: d.s(a)
-- completeness: any

CREATE FUNCTION d.f() RETURNS trigger AS $$ BEGIN INSERT INTO d.aud (a) VALUES (NEW.a); RETURN NEW; END $$ LANGUAGE plpgsql;
CREATE TRIGGER t AFTER INSERT ON d.s FOR EACH ROW EXECUTE FUNCTION d.f();
