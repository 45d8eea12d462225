-- edge: s.a#id -> d.ab#id IDENTITY
-- edge: s.b#v -> d.ab#v TRANSFORMATION
-- edge: s.a#id -> d.ab JOIN
-- edge: s.b#a_id -> d.ab JOIN
-- completeness: any

INSERT INTO d.ab (id, v)
SELECT a.id, COALESCE(b.v, 0) FROM s.a a LEFT JOIN s.b b ON b.a_id = a.id;
