-- edge: db2.t#b -> db1.t#a IDENTITY
-- edge: db2.t#id -> db1.t FILTER
-- edge: db1.t#id -> db1.t FILTER
-- edge: db2.t#id -> db2.t FILTER
-- edge: db1.t#id -> db2.t FILTER
-- completeness: complete

UPDATE db1.t, db2.t SET db1.t.a = db2.t.b, db2.t.c = 1 WHERE db1.t.id = db2.t.id
