-- columns: stg.a(id, v)
-- columns: stg.b(id, w)
-- columns: dw.t(id, v)
-- columns: dw.u(id, w)
-- edge: stg.a#id -> dw.t#id IDENTITY
-- edge: stg.a#v -> dw.t#v IDENTITY
-- edge: stg.b#id -> dw.u#id IDENTITY
-- edge: stg.b#w -> dw.u#w IDENTITY
-- edge: stg.b#w -> dw.u FILTER
-- completeness: complete

INSERT INTO dw.t (id, v)
SELECT id, v FROM stg.a
INSERT INTO dw.u (id, w)
SELECT id, w FROM stg.b WHERE w > 0
UPDATE STATISTICS dw.u
