-- database: acme
-- columns: acme.web.h(uid, ts, url)
-- edge: acme.web.h#uid -> acme.mart.h#uid IDENTITY
-- edge: acme.web.h#ts -> acme.mart.h#ts IDENTITY
-- edge: acme.web.h#url -> acme.mart.h#url IDENTITY
-- edge: acme.web.h#ts -> acme.mart.h#is_new CONDITIONAL
-- edge: acme.web.h#uid -> acme.mart.h#is_new CONDITIONAL
-- edge: acme.web.h#uid -> acme.mart.h#hit_no WINDOW
-- edge: acme.web.h#ts -> acme.mart.h#hit_no WINDOW
-- completeness: complete

CREATE OR REPLACE TABLE mart.h AS
SELECT uid, ts, url,
       IF(TIMESTAMP_DIFF(ts, LAG(ts) OVER w, MINUTE) > 30, 1, 0) AS is_new,
       ROW_NUMBER() OVER w AS hit_no
FROM web.h
WINDOW w AS (PARTITION BY uid ORDER BY ts);
