-- columns: p.s.h(id,at,v)
-- edge: p.s.h#id -> p.d.l#id IDENTITY
-- edge: p.s.h#v -> p.d.l#v IDENTITY
-- edge: p.s.h#id -> p.d.l FILTER
-- edge: p.s.h#at -> p.d.l FILTER
-- completeness: complete

CREATE VIEW p.d.l AS SELECT id, v FROM p.s.h QUALIFY ROW_NUMBER() OVER (PARTITION BY id ORDER BY at DESC) = 1
