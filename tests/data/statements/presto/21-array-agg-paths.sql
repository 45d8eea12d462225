-- columns: hive.web.page_hit(session_id, page, hit_no, referrer)
-- edge: hive.web.page_hit#session_id -> hive.mart.path#session_id IDENTITY
-- edge: hive.web.page_hit#page -> hive.mart.path#path AGGREGATION
-- edge: hive.web.page_hit#hit_no -> hive.mart.path#path SORT
-- edge: hive.web.page_hit#referrer -> hive.mart.path#source AGGREGATION
-- edge: hive.web.page_hit#hit_no -> hive.mart.path#source AGGREGATION
-- edge: hive.web.page_hit -> hive.mart.path#depth AGGREGATION
-- edge: hive.web.page_hit#session_id -> hive.mart.path GROUP_BY
-- completeness: complete

CREATE TABLE hive.mart.path AS
SELECT session_id,
       array_join(array_agg(page ORDER BY hit_no), ' > ') AS path,
       min_by(referrer, hit_no) AS source,
       count(*) AS depth
FROM hive.web.page_hit
GROUP BY session_id
