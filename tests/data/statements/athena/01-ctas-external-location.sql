-- edge: raw.logs#ts -> mart.logs#day TRANSFORMATION
-- edge: raw.logs#uri -> mart.logs#uri IDENTITY
-- edge: raw.logs#bytes -> mart.logs#total AGGREGATION
-- edge: raw.logs#status -> mart.logs FILTER
-- edge: raw.logs#ts -> mart.logs GROUP_BY
-- edge: raw.logs#uri -> mart.logs GROUP_BY
-- completeness: any

CREATE TABLE mart.logs
WITH (format = 'PARQUET', external_location = 's3://out/mart/logs/', partitioned_by = ARRAY['day'])
AS
SELECT uri, sum(bytes) AS total, date(ts) AS day
FROM raw.logs
WHERE status = 200
GROUP BY uri, date(ts);
