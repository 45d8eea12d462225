-- columns: stg.s(id,v)
-- columns: dw.t(id,v)
-- edge: stg.s#id -> dw.t#id IDENTITY
-- edge: stg.s#v -> dw.t#v IDENTITY
-- edge: stg.s#id -> dw.t FILTER
-- edge: dw.t#id -> dw.t FILTER
-- completeness: complete

UPDATE dw.t FROM stg.s s SET v = s.v WHERE dw.t.id = s.id;
INSERT INTO dw.t (id, v) SELECT s.id, s.v FROM stg.s s WHERE NOT EXISTS (SELECT 1 FROM dw.t x WHERE x.id = s.id);
