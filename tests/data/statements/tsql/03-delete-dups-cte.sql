-- columns: stg.c(email, id, loaded)
-- edge: stg.c#email -> stg.c FILTER
-- edge: stg.c#loaded -> stg.c FILTER
-- completeness: complete

;WITH d AS (
    SELECT email, ROW_NUMBER() OVER (PARTITION BY email ORDER BY loaded DESC) AS rn
    FROM stg.c
)
DELETE FROM d WHERE rn > 1;
