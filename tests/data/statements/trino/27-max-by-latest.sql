-- columns: h.s.x(id,ts,v)
-- edge: h.s.x#id -> h.d.y#id IDENTITY
-- edge: h.s.x#v -> h.d.y#v AGGREGATION
-- edge: h.s.x#ts -> h.d.y#v AGGREGATION
-- edge: h.s.x#id -> h.d.y GROUP_BY
-- completeness: complete

CREATE TABLE h.d.y WITH (format = 'ORC') AS SELECT id, max_by(v, ts) AS v FROM h.s.x GROUP BY 1
