-- columns: dwd.gps(car, ts, speed)
-- edge: s3://gps-lake:day/*.parquet#car -> dwd.gps#car IDENTITY
-- edge: s3://gps-lake:day/*.parquet#ts -> dwd.gps#ts IDENTITY
-- edge: s3://gps-lake:day/*.parquet#speed_ms -> dwd.gps#speed TRANSFORMATION
-- edge: s3://gps-lake:day/*.parquet#speed_ms -> dwd.gps FILTER
-- completeness: any

INSERT INTO dwd.gps (car, ts, speed)
SELECT car, ts, speed_ms * 3.6
FROM FILES (
    "path" = "s3://gps-lake/day/*.parquet",
    "format" = "parquet"
)
WHERE speed_ms >= 0;
