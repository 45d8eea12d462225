-- columns: dw.last_pos(device, lat, lon)
-- edge: raw.pos#device -> dw.last_pos#device IDENTITY
-- edge: raw.pos#lat -> dw.last_pos#lat IDENTITY
-- edge: raw.pos#lon -> dw.last_pos#lon IDENTITY
-- edge: raw.pos#ts -> dw.last_pos SORT
-- edge: raw.pos#device -> dw.last_pos GROUP_BY
-- completeness: any

INSERT INTO dw.last_pos
SELECT device, lat, lon
FROM raw.pos
ORDER BY ts DESC
LIMIT 1 BY device;
