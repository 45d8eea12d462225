-- columns: main.stg.o(id, cid, total)
-- edge: main.stg.o#id -> main.mart.o#id IDENTITY
-- edge: main.stg.o#total -> main.mart.o#total IDENTITY
-- edge: main.stg.c#city -> main.mart.o#city IDENTITY
-- edge: main.stg.o#cid -> main.mart.o JOIN
-- edge: main.stg.c#id -> main.mart.o JOIN
-- completeness: any

CREATE OR REPLACE TABLE main.mart.o AS
SELECT o.id, o.total, c.city
FROM main.stg.o AS o
LEFT JOIN main.stg.c AS c ON c.id = o.cid;
