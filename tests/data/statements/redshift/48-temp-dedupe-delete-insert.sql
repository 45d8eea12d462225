-- columns: stg.meter(meter_id, read_at, kwh, loaded_at)
-- columns: dw.meter(meter_id, read_at, kwh)
-- edge: stg.meter#meter_id -> dw.meter#meter_id IDENTITY
-- edge: stg.meter#read_at -> dw.meter#read_at IDENTITY
-- edge: stg.meter#kwh -> dw.meter#kwh IDENTITY
-- edge: stg.meter#meter_id -> dw.meter FILTER
-- edge: stg.meter#read_at -> dw.meter FILTER
-- edge: stg.meter#loaded_at -> dw.meter FILTER
-- edge: dw.meter#meter_id -> dw.meter FILTER
-- edge: dw.meter#read_at -> dw.meter FILTER
-- completeness: complete

BEGIN;
CREATE TEMP TABLE meter_latest AS
SELECT meter_id, read_at, kwh
FROM (
    SELECT meter_id, read_at, kwh,
           ROW_NUMBER() OVER (PARTITION BY meter_id, read_at ORDER BY loaded_at DESC) AS rn
    FROM stg.meter
) ranked
WHERE rn = 1;

DELETE FROM dw.meter
USING meter_latest
WHERE dw.meter.meter_id = meter_latest.meter_id
  AND dw.meter.read_at = meter_latest.read_at;

INSERT INTO dw.meter (meter_id, read_at, kwh)
SELECT meter_id, read_at, kwh FROM meter_latest;
COMMIT;
