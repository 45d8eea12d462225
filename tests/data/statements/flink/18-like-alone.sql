-- columns: d.a(x, y)
-- columns: d.src(p, q)
-- edge: d.src#p -> d.b#x IDENTITY
-- edge: d.src#q -> d.b#y IDENTITY
-- completeness: complete

CREATE TABLE d.b WITH ('connector' = 'print') LIKE d.a (EXCLUDING ALL);
INSERT INTO d.b SELECT p, q FROM d.src;
