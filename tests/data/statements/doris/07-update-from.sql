-- columns: dw.p(id, price)
-- columns: stg.p(id, price)
-- edge: stg.p#price -> dw.p#price IDENTITY
-- edge: dw.p#id -> dw.p FILTER
-- edge: stg.p#id -> dw.p FILTER
-- completeness: complete

UPDATE dw.p SET price = s.price FROM stg.p s WHERE dw.p.id = s.id;
