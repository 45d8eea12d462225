-- columns: dw.c(id, name)
-- edge: raw.c#id -> dw.c#id IDENTITY
-- edge: raw.c#name -> dw.c#name IDENTITY
-- edge: raw.c#id -> dw.c FILTER
-- edge: raw.c#upd -> dw.c FILTER
-- completeness: any

INSERT INTO dw.c (id, name)
SELECT id, name FROM (
  SELECT id, name, row_number() OVER (PARTITION BY id ORDER BY upd DESC NULLS LAST) AS rn
  FROM raw.c
) WHERE rn = 1;
