-- edge: s.t#p -> d.t#x TRANSFORMATION
-- edge: s.t#q -> d.t#x TRANSFORMATION
-- completeness: complete
-- note: the body names its arguments by place: the value comes from all of them

CREATE FUNCTION app.plus(int, int) RETURNS int LANGUAGE sql IMMUTABLE AS $$ SELECT $1 + $2 $$;
INSERT INTO d.t (x) SELECT app.plus(p, q) FROM s.t;
