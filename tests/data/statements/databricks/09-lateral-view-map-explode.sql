-- columns: main.raw.device(device_id, tags map<string,string>)
-- edge: main.raw.device#device_id -> main.silver.device_tag#device_id IDENTITY
-- edge: main.raw.device#tags -> main.silver.device_tag#tag TRANSFORMATION
-- edge: main.raw.device#tags -> main.silver.device_tag#value TRANSFORMATION
-- completeness: complete

CREATE OR REPLACE TABLE main.silver.device_tag AS
SELECT device_id, k AS tag, v AS value
FROM main.raw.device
LATERAL VIEW OUTER explode(tags) e AS k, v;
