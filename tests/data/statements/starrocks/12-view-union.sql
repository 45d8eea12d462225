-- columns: a.s(id, v)
-- columns: b.s(id, v, ok)
-- edge: a.s#id -> rpt.s#id IDENTITY
-- edge: b.s#id -> rpt.s#id IDENTITY
-- edge: a.s#v -> rpt.s#v IDENTITY
-- edge: b.s#v -> rpt.s#v IDENTITY
-- edge: b.s#ok -> rpt.s FILTER
-- completeness: complete

CREATE OR REPLACE VIEW rpt.s (id, v) AS
SELECT id, v FROM a.s UNION ALL SELECT id, v FROM b.s WHERE ok = 1;
