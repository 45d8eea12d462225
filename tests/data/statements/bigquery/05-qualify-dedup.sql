-- database: acme
-- columns: acme.raw.profile(uid, name, loaded_at)
-- edge: acme.raw.profile#uid -> acme.dw.profile#uid IDENTITY
-- edge: acme.raw.profile#name -> acme.dw.profile#name IDENTITY
-- edge: acme.raw.profile#uid -> acme.dw.profile FILTER
-- edge: acme.raw.profile#loaded_at -> acme.dw.profile FILTER
-- completeness: complete

CREATE OR REPLACE TABLE dw.profile AS
SELECT uid, name
FROM raw.profile
WHERE TRUE
QUALIFY ROW_NUMBER() OVER (PARTITION BY uid ORDER BY loaded_at DESC) = 1;
