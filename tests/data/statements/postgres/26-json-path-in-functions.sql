-- columns: raw.h(doc, at)
-- edge: raw.h#doc -> stg.h#mail TRANSFORMATION
-- edge: raw.h#doc -> stg.h#amt TRANSFORMATION
-- edge: raw.h#doc -> stg.h#city TRANSFORMATION
-- edge: raw.h#doc -> stg.h FILTER
-- completeness: complete

CREATE TABLE stg.h AS
SELECT lower(doc ->> 'mail') AS mail,
       round((doc -> 'cart' ->> 'amt')::numeric, 2) AS amt,
       coalesce(doc #>> '{addr,city}', 'n/a') AS city
FROM raw.h
WHERE upper(doc -> 'meta' ->> 'kind') = 'ORDER';
