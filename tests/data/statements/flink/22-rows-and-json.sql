-- columns: d.e(id, user_info ROW<name STRING, age INT>, payload)
-- edge: d.e#id -> d.o#id IDENTITY
-- edge: d.e#user_info.name -> d.o#n IDENTITY
-- edge: d.e#payload -> d.o#k TRANSFORMATION
-- edge: d.e#user_info.age -> d.o FILTER
-- completeness: complete
-- note: a backslash ends no string

INSERT INTO d.o (id, n, k)
SELECT `id`, user_info.name, JSON_VALUE(payload, '$.k' RETURNING STRING DEFAULT 'C:\' ON EMPTY)
FROM d.e
WHERE user_info.age > 18;
