-- columns: a.t(id,v)
-- columns: b.t(id,v)
-- edge: a.t#id -> b.t#id IDENTITY
-- edge: a.t#v -> b.t#v IDENTITY
-- edge: b.t#v -> b.t#v TRANSFORMATION
-- edge: a.t#v -> b.t#v TRANSFORMATION
-- completeness: complete

INSERT INTO b.t BY NAME SELECT id, v FROM a.t ON CONFLICT (id) DO UPDATE SET v = greatest(b.t.v, excluded.v)
