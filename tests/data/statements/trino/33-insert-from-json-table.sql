-- columns: c.d.j(id, doc)
-- edge: c.d.j#id -> c.d.t#id IDENTITY
-- edge: c.d.j#doc -> c.d.t#n TRANSFORMATION
-- completeness: any

INSERT INTO c.d.t (id, n) SELECT j.id, x.n FROM c.d.j j, JSON_TABLE(j.doc, 'lax $.a[*]' COLUMNS (n VARCHAR PATH 'lax $.n')) AS x
