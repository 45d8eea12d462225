-- columns: hive.app.user(uid, signup, channel)
-- columns: hive.app.active(uid, day, minutes)
-- edge: hive.app.user#signup -> hive.mart.grid#week TRANSFORMATION
-- edge: hive.app.user#channel -> hive.mart.grid#channel TRANSFORMATION
-- edge: hive.app.user#uid -> hive.mart.grid#size AGGREGATION
-- edge: hive.app.active#uid -> hive.mart.grid#w1 AGGREGATION
-- edge: hive.app.active#day -> hive.mart.grid#w1 CONDITIONAL
-- edge: hive.app.user#signup -> hive.mart.grid#w1 CONDITIONAL
-- edge: hive.app.active#uid -> hive.mart.grid#w4 AGGREGATION
-- edge: hive.app.active#day -> hive.mart.grid#w4 CONDITIONAL
-- edge: hive.app.user#signup -> hive.mart.grid#w4 CONDITIONAL
-- edge: hive.app.active#minutes -> hive.mart.grid#minutes AGGREGATION
-- edge: hive.app.user#signup -> hive.mart.grid FILTER
-- edge: hive.app.active#minutes -> hive.mart.grid FILTER
-- edge: hive.app.user#uid -> hive.mart.grid JOIN
-- edge: hive.app.active#uid -> hive.mart.grid JOIN
-- edge: hive.app.user#signup -> hive.mart.grid JOIN
-- edge: hive.app.active#day -> hive.mart.grid JOIN
-- edge: hive.app.user#signup -> hive.mart.grid GROUP_BY
-- edge: hive.app.user#channel -> hive.mart.grid GROUP_BY
-- completeness: complete

CREATE TABLE hive.mart.grid AS
WITH cohort AS (
  SELECT uid, date_trunc('week', signup) AS week, lower(channel) AS channel
  FROM hive.app.user
  WHERE signup >= date '2024-01-01'
),
act AS (
  SELECT uid, day, minutes FROM hive.app.active WHERE minutes > 0
),
j AS (
  SELECT c.uid, c.week, c.channel, a.uid AS active_uid, a.minutes,
         date_diff('week', c.week, a.day) AS n
  FROM cohort c
  LEFT JOIN act a ON a.uid = c.uid AND a.day >= c.week
)
SELECT week, channel,
       count(DISTINCT uid) AS size,
       count(DISTINCT CASE WHEN n = 1 THEN active_uid END) AS w1,
       count(DISTINCT CASE WHEN n = 4 THEN active_uid END) AS w4,
       sum(minutes) AS minutes
FROM j
GROUP BY week, channel;
