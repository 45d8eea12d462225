-- columns: a.s(id, amt)
-- columns: b.s(id, amt)
-- columns: c.s(id, amt, void)
-- columns: mart.s(src, id, amt)
-- edge: a.s#id -> mart.s#id IDENTITY
-- edge: b.s#id -> mart.s#id IDENTITY
-- edge: c.s#id -> mart.s#id IDENTITY
-- edge: a.s#amt -> mart.s#amt IDENTITY
-- edge: b.s#amt -> mart.s#amt IDENTITY
-- edge: c.s#amt -> mart.s#amt TRANSFORMATION
-- edge: c.s#void -> mart.s FILTER
-- completeness: complete

INSERT INTO mart.s
SELECT 'a', id, amt FROM a.s
UNION ALL SELECT 'b', id, amt FROM b.s
UNION ALL SELECT 'c', id, -amt FROM c.s WHERE NOT void;
