-- columns: hive.web.hit(visitor, at, path)
-- edge: hive.web.hit#visitor -> hive.mart.visit#visitor IDENTITY
-- edge: hive.web.hit#at -> hive.mart.visit#visit_no CONDITIONAL
-- edge: hive.web.hit#visitor -> hive.mart.visit#visit_no CONDITIONAL
-- edge: hive.web.hit#visitor -> hive.mart.visit#visit_no WINDOW
-- edge: hive.web.hit#at -> hive.mart.visit#visit_no WINDOW
-- edge: hive.web.hit#path -> hive.mart.visit#entry AGGREGATION
-- edge: hive.web.hit#at -> hive.mart.visit#entry AGGREGATION
-- edge: hive.web.hit -> hive.mart.visit#hits AGGREGATION
-- edge: hive.web.hit#visitor -> hive.mart.visit GROUP_BY
-- edge: hive.web.hit#at -> hive.mart.visit GROUP_BY
-- completeness: complete

CREATE TABLE hive.mart.visit AS
WITH gaps AS (
  SELECT visitor, at, path,
         CASE WHEN date_diff('minute', lag(at) OVER (PARTITION BY visitor ORDER BY at), at) > 30
              THEN 1 ELSE 0 END AS fresh
  FROM hive.web.hit
),
numbered AS (
  SELECT visitor, at, path,
         sum(fresh) OVER (PARTITION BY visitor ORDER BY at) AS visit_no
  FROM gaps
)
SELECT visitor, visit_no, min_by(path, at) AS entry, count(*) AS hits
FROM numbered
GROUP BY visitor, visit_no;
