-- columns: main.raw.iot(body, arrived)
-- columns: main.ref.device(device_id, site, installed)
-- edge: main.raw.iot#body -> main.silver.iot#device_id TRANSFORMATION
-- edge: main.raw.iot#body -> main.silver.iot#temp TRANSFORMATION
-- edge: main.raw.iot#body -> main.silver.iot#at TRANSFORMATION
-- edge: main.raw.iot#arrived -> main.silver.iot FILTER
-- edge: main.raw.iot#body -> main.silver.iot FILTER
-- edge: main.ref.device#site -> main.gold.site_hour#site IDENTITY
-- edge: main.silver.iot#at -> main.gold.site_hour#hour TRANSFORMATION
-- edge: main.silver.iot#temp -> main.gold.site_hour#avg_temp AGGREGATION
-- edge: main.silver.iot#temp -> main.gold.site_hour#max_temp AGGREGATION
-- edge: main.silver.iot#device_id -> main.gold.site_hour JOIN
-- edge: main.ref.device#device_id -> main.gold.site_hour JOIN
-- edge: main.silver.iot#at -> main.gold.site_hour JOIN
-- edge: main.ref.device#installed -> main.gold.site_hour JOIN
-- edge: main.ref.device#site -> main.gold.site_hour GROUP_BY
-- edge: main.silver.iot#at -> main.gold.site_hour GROUP_BY
-- completeness: complete

USE CATALOG main;

CREATE OR REPLACE TABLE silver.iot AS
SELECT body:device::string AS device_id,
       body:t::double AS temp,
       to_timestamp(body:ts::string) AS at
FROM raw.iot
WHERE arrived > current_timestamp() - INTERVAL 1 DAY
  AND body:t IS NOT NULL;

CREATE OR REPLACE TABLE gold.site_hour AS
SELECT d.site,
       date_trunc('HOUR', s.at) AS hour,
       avg(s.temp) AS avg_temp,
       max(s.temp) AS max_temp
FROM silver.iot s
JOIN ref.device d
  ON d.device_id = s.device_id AND s.at >= d.installed
GROUP BY d.site, date_trunc('HOUR', s.at);
