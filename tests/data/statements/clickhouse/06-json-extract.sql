-- columns: dw.req(path, ms, at)
-- edge: raw.log#message -> dw.req#path TRANSFORMATION
-- edge: raw.log#message -> dw.req#ms TRANSFORMATION
-- edge: raw.log#at -> dw.req#at IDENTITY
-- edge: raw.log#message -> dw.req FILTER
-- edge: raw.log#at -> dw.req FILTER
-- completeness: any

INSERT INTO dw.req
SELECT JSONExtractString(message, 'path'), JSONExtractInt(message, 'ms'), at
FROM raw.log
PREWHERE at >= today() - 1
WHERE JSONHas(message, 'path');
