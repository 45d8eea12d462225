-- edge: hive.raw.u#url -> hive.dw.u#host TRANSFORMATION
-- edge: hive.raw.u#ref -> hive.dw.u#src TRANSFORMATION
-- edge: hive.raw.u#url -> hive.dw.u FILTER
-- completeness: any

CREATE TABLE hive.dw.u AS
SELECT regexp_extract(url, '//([^/]+)', 1) AS host, split_part(ref, '?', 1) AS src
FROM hive.raw.u WHERE url LIKE 'http%';
