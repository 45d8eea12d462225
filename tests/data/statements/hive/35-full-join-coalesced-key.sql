-- columns: s.u(id,name)
-- columns: s.v(id,city)
-- edge: s.u#id -> d.w#id TRANSFORMATION
-- edge: s.v#id -> d.w#id TRANSFORMATION
-- edge: s.u#name -> d.w#name IDENTITY
-- edge: s.v#city -> d.w#city IDENTITY
-- edge: s.u#id -> d.w JOIN
-- edge: s.v#id -> d.w JOIN
-- completeness: complete

CREATE TABLE d.w STORED AS ORC AS SELECT nvl(u.id, v.id) AS id, u.name, v.city FROM s.u u FULL OUTER JOIN s.v v ON u.id = v.id
