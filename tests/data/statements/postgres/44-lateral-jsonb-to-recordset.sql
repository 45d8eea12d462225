-- columns: d.j(id, doc)
-- edge: d.j#id -> d.t#id IDENTITY
-- edge: d.j#doc -> d.t#a TRANSFORMATION
-- completeness: complete

INSERT INTO d.t (id, a) SELECT j.id, r.a FROM d.j j CROSS JOIN LATERAL jsonb_to_recordset(j.doc -> 'x') AS r(a int, b text)
