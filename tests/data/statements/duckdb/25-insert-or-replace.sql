-- columns: stg.k(id, v)
-- columns: dw.k(id, v)
-- edge: stg.k#id -> dw.k#id IDENTITY
-- edge: stg.k#v -> dw.k#v IDENTITY
-- completeness: complete

INSERT OR REPLACE INTO dw.k SELECT id, v FROM stg.k;
