-- edge: d.Clicks#user_id -> d.clicks_out#user_id IDENTITY
-- edge: d.Clicks#page -> d.clicks_out#page IDENTITY
-- edge: d.Clicks#event_time -> d.clicks_out#event_time IDENTITY
-- edge: d.Clicks#day -> d.clicks_out#day IDENTITY
-- edge: d.Clicks#event_time -> d.Clicks#day TRANSFORMATION
-- completeness: complete
-- note: a computed column is a column of its table

CREATE TABLE d.Clicks (
  user_id BIGINT,
  page STRING,
  event_time TIMESTAMP_LTZ(3) METADATA FROM 'timestamp' VIRTUAL,
  `offset` BIGINT METADATA VIRTUAL,
  `day` AS DATE_FORMAT(event_time, 'yyyy-MM-dd'),
  proc_time AS PROCTIME(),
  WATERMARK FOR event_time AS event_time
) WITH ('connector' = 'kafka', 'topic' = 'clicks');
CREATE TABLE d.clicks_out (user_id BIGINT, page STRING, event_time TIMESTAMP_LTZ(3), `day` STRING)
WITH ('connector' = 'filesystem', 'path' = 's3://b/clicks');
INSERT INTO d.clicks_out SELECT user_id, page, event_time, `day` FROM d.Clicks;
