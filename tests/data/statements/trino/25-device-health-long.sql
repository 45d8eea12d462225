-- columns: iceberg.iot.reading(device, ts, temp, volt, err)
-- columns: pg.public.device(id, model, site_id, retired)
-- columns: pg.public.site(id, name, region)
-- edge: pg.public.site#region -> iceberg.mart.health#region IDENTITY
-- edge: pg.public.site#name -> iceberg.mart.health#site IDENTITY
-- edge: pg.public.device#model -> iceberg.mart.health#model TRANSFORMATION
-- edge: iceberg.iot.reading#device -> iceberg.mart.health#devices AGGREGATION
-- edge: iceberg.iot.reading#temp -> iceberg.mart.health#avg_temp AGGREGATION
-- edge: iceberg.iot.reading#volt -> iceberg.mart.health#p99_volt AGGREGATION
-- edge: iceberg.iot.reading#err -> iceberg.mart.health#last_err AGGREGATION
-- edge: iceberg.iot.reading#ts -> iceberg.mart.health#last_err AGGREGATION
-- edge: iceberg.iot.reading#temp -> iceberg.mart.health#drift AGGREGATION
-- edge: iceberg.iot.reading#device -> iceberg.mart.health#drift WINDOW
-- edge: iceberg.iot.reading#ts -> iceberg.mart.health#drift WINDOW
-- edge: iceberg.iot.reading#ts -> iceberg.mart.health FILTER
-- edge: pg.public.device#retired -> iceberg.mart.health FILTER
-- edge: iceberg.iot.reading#device -> iceberg.mart.health JOIN
-- edge: pg.public.device#id -> iceberg.mart.health JOIN
-- edge: pg.public.device#site_id -> iceberg.mart.health JOIN
-- edge: pg.public.site#id -> iceberg.mart.health JOIN
-- edge: pg.public.site#region -> iceberg.mart.health GROUP_BY
-- edge: pg.public.site#name -> iceberg.mart.health GROUP_BY
-- edge: pg.public.device#model -> iceberg.mart.health GROUP_BY
-- completeness: complete

CREATE TABLE iceberg.mart.health
WITH (partitioning = ARRAY['region'])
AS
WITH r AS (
  SELECT device, ts, temp, volt, err,
         temp - lag(temp) OVER (PARTITION BY device ORDER BY ts) AS step
  FROM iceberg.iot.reading
  WHERE ts >= TIMESTAMP '2024-05-01 00:00:00'
),
named AS (
  SELECT s.region, s.name AS site, coalesce(m.model, 'unknown') AS model, r.*
  FROM r
  JOIN pg.public.device m ON CAST(m.id AS varchar) = r.device
  JOIN pg.public.site s ON s.id = m.site_id
  WHERE m.retired IS NULL
)
SELECT region,
       site,
       model,
       count(DISTINCT device) AS devices,
       avg(temp) AS avg_temp,
       approx_percentile(volt, 0.99) AS p99_volt,
       max_by(err, ts) AS last_err,
       avg(abs(step)) AS drift
FROM named
GROUP BY region, site, model;
