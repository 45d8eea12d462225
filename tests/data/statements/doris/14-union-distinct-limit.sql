-- columns: a.m(mail)
-- columns: b.m(mail, ok)
-- columns: mk.m(mail)
-- edge: a.m#mail -> mk.m#mail IDENTITY
-- edge: b.m#mail -> mk.m#mail TRANSFORMATION
-- edge: b.m#ok -> mk.m FILTER
-- completeness: complete

INSERT INTO mk.m (mail)
SELECT mail FROM a.m UNION SELECT LOWER(mail) FROM b.m WHERE ok = 1;
