-- columns: dw.a(id, v)
-- columns: stg.a(id, v)
-- edge: stg.a#v -> dw.a#v IDENTITY
-- edge: dw.a#id -> dw.a FILTER
-- edge: stg.a#id -> dw.a FILTER
-- completeness: complete

UPDATE dw.a SET v = s.v FROM stg.a s WHERE dw.a.id = s.id;
