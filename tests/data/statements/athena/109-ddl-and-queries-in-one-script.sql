-- database: lake
-- edge: lake.raw_events#user_id -> lake.events#user_id IDENTITY
-- edge: lake.raw_events#payload.page -> lake.events#page IDENTITY
-- edge: lake.raw_events#dt -> lake.events#dt IDENTITY
-- edge: lake.raw_events#dt -> lake.events FILTER
-- completeness: complete
-- note: backticks in Hive's statements, double quotes in Trino's, as Athena has it

CREATE EXTERNAL TABLE IF NOT EXISTS `lake`.`raw_events` (
  `user_id` string COMMENT 'who; when known',
  `payload` struct<page:string,ref:string>
)
PARTITIONED BY (`dt` string)
ROW FORMAT SERDE 'org.openx.data.jsonserde.JsonSerDe'
LOCATION 's3://lake/raw/events/';

MSCK REPAIR TABLE `lake`.`raw_events`;

DROP TABLE IF EXISTS `lake`.`events`;

CREATE TABLE "lake"."events"
WITH (format = 'PARQUET', partitioned_by = ARRAY['dt']) AS
SELECT "user_id", payload.page AS "page", "dt"
FROM "AwsDataCatalog"."lake"."raw_events"
WHERE "dt" >= '2024-01-01';
