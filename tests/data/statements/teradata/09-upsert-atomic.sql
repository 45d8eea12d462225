-- columns: stg.s(id,v)
-- columns: dw.t(id,v)
-- edge: dw.t#id -> dw.t FILTER
-- completeness: complete

UPDATE dw.t SET v = 3 WHERE id = 7 ELSE INSERT INTO dw.t (id, v) VALUES (7, 3);
