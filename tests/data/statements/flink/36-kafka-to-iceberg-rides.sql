-- edge: ride.events#ride_id -> ride.lake#ride_id IDENTITY
-- edge: ride.events#city -> ride.lake#city IDENTITY
-- edge: ride.events#fare_cents -> ride.lake#fare_eur TRANSFORMATION
-- edge: ride.events#started_at -> ride.lake#day TRANSFORMATION
-- edge: ride.events#state -> ride.lake FILTER
-- completeness: complete

CREATE TABLE ride.events (
  ride_id STRING,
  city STRING,
  fare_cents BIGINT,
  state STRING,
  started_at TIMESTAMP(3),
  WATERMARK FOR started_at AS started_at - INTERVAL '30' SECOND
) WITH ('connector' = 'kafka', 'topic' = 'ride-events', 'format' = 'avro-confluent');

CREATE TABLE ride.lake (
  ride_id STRING,
  city STRING,
  fare_eur DECIMAL(10, 2),
  `day` STRING
) PARTITIONED BY (`day`) WITH ('connector' = 'iceberg', 'catalog-name' = 'lake');

INSERT INTO ride.lake
SELECT ride_id, city, CAST(fare_cents / 100.0 AS DECIMAL(10, 2)), DATE_FORMAT(started_at, 'yyyy-MM-dd')
FROM ride.events
WHERE state = 'FINISHED';
