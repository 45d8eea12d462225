-- edge: s3://meteo:obs/year=*/*.parquet#station -> wx.daily#station IDENTITY
-- edge: s3://meteo:obs/year=*/*.parquet#observed -> wx.daily#day TRANSFORMATION
-- edge: s3://meteo:obs/year=*/*.parquet#temp -> wx.daily#tmax AGGREGATION
-- edge: s3://meteo:obs/year=*/*.parquet#rain_mm -> wx.daily#rain AGGREGATION
-- edge: s3://meteo:obs/year=*/*.parquet#gust -> wx.daily#gusty AGGREGATION
-- edge: s3://meteo:obs/year=*/*.parquet#gust -> wx.daily#gusty CONDITIONAL
-- edge: s3://meteo:obs/year=*/*.parquet#quality -> wx.daily FILTER
-- edge: s3://meteo:obs/year=*/*.parquet#station -> wx.daily GROUP_BY
-- edge: s3://meteo:obs/year=*/*.parquet#observed -> wx.daily GROUP_BY
-- completeness: complete

CREATE OR REPLACE TABLE wx.daily AS
SELECT station,
       date_trunc('day', observed) AS day,
       max(temp) AS tmax,
       round(sum(rain_mm), 1) AS rain,
       count(gust) FILTER (WHERE gust > 20) AS gusty
FROM read_parquet('s3://meteo/obs/year=*/*.parquet', hive_partitioning = true)
WHERE quality < 3
GROUP BY station, date_trunc('day', observed);
