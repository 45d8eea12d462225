-- columns: main.stg.e(id, v)
-- columns: main.dw.e(id, v)
-- edge: main.stg.e#id -> main.dw.e#id IDENTITY
-- edge: main.stg.e#v -> main.dw.e#v IDENTITY
-- edge: main.dw.e#id -> main.dw.e JOIN
-- edge: main.stg.e#id -> main.dw.e JOIN
-- completeness: complete

MERGE WITH SCHEMA EVOLUTION INTO main.dw.e AS t
USING main.stg.e AS s
ON t.id = s.id
WHEN MATCHED THEN UPDATE SET *
WHEN NOT MATCHED THEN INSERT *;
