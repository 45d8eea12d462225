-- columns: stg.c(code, label)
-- columns: dim.c(code, label)
-- edge: stg.c#code -> dim.c#code IDENTITY
-- edge: stg.c#label -> dim.c#label IDENTITY
-- edge: stg.c#code -> dim.c FILTER
-- edge: dim.c#code -> dim.c FILTER
-- completeness: complete

INSERT INTO dim.c (code, label)
SELECT s.code, s.label FROM stg.c s
WHERE NOT EXISTS (SELECT FROM dim.c d WHERE d.code = s.code)
RETURNING code;
