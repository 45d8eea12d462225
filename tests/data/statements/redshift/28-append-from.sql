-- columns: s.z(id,v)
-- columns: d.y(id,v)
-- edge: s.z#id -> d.y#id IDENTITY
-- edge: s.z#v -> d.y#v IDENTITY
-- completeness: any

ALTER TABLE d.y APPEND FROM s.z
