-- completeness: complete
-- edge: stg.o#d -> dw.o FILTER
-- edge: stg.o#id -> dw.o#id IDENTITY
-- edge: stg.o#v -> dw.o#v IDENTITY

INSERT INTO dw.o (id, v) SELECT id, v FROM stg.o WHERE d > CURRENT DATE - 7 DAYS FETCH FIRST 100 ROWS ONLY WITH UR
