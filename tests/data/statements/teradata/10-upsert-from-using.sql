-- columns: dw.t(id,v)
-- edge: dw.t#v -> dw.t#v TRANSFORMATION
-- edge: dw.t#id -> dw.t FILTER
-- completeness: complete

UPD dw.t SET v = v + 1 WHERE id = 5 ELSE INS INTO dw.t (id, v) VALUES (5, 1);
