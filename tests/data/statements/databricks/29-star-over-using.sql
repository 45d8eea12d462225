-- columns: c.s.q(id,a)
-- columns: c.s.r(id,b)
-- edge: c.s.q#id -> c.d.z#id IDENTITY
-- edge: c.s.q#a -> c.d.z#a IDENTITY
-- edge: c.s.r#b -> c.d.z#b IDENTITY
-- edge: c.s.q#id -> c.d.z JOIN
-- edge: c.s.r#id -> c.d.z JOIN
-- completeness: complete

CREATE TABLE c.d.z AS SELECT * FROM c.s.q JOIN c.s.r USING (id)
