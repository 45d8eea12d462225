-- columns: dw.c(id, nm, upd)
-- columns: stg.c(id, nm, ts)
-- edge: stg.c#id -> dw.c#id IDENTITY
-- edge: stg.c#nm -> dw.c#nm IDENTITY
-- edge: stg.c#ts -> dw.c#upd IDENTITY
-- edge: dw.c#id -> dw.c JOIN
-- edge: stg.c#id -> dw.c JOIN
-- edge: stg.c#ts -> dw.c FILTER
-- edge: dw.c#upd -> dw.c FILTER
-- completeness: complete

MERGE INTO dw.c t USING stg.c s ON t.id = s.id
WHEN MATCHED AND s.ts > t.upd THEN UPDATE SET nm = s.nm, upd = s.ts
WHEN NOT MATCHED THEN INSERT (id, nm, upd) VALUES (s.id, s.nm, s.ts)
