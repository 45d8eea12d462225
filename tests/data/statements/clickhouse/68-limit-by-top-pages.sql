-- columns: logs.page(host, path, hits, day)
-- columns: mart.top_page(host, path, hits)
-- edge: logs.page#host -> mart.top_page#host IDENTITY
-- edge: logs.page#path -> mart.top_page#path IDENTITY
-- edge: logs.page#hits -> mart.top_page#hits AGGREGATION
-- edge: logs.page#day -> mart.top_page FILTER
-- edge: logs.page#host -> mart.top_page GROUP_BY
-- edge: logs.page#path -> mart.top_page GROUP_BY
-- edge: logs.page#host -> mart.top_page SORT
-- edge: logs.page#hits -> mart.top_page SORT
-- completeness: complete

INSERT INTO mart.top_page
SELECT host, path, sum(hits) AS h
FROM logs.page
WHERE day = yesterday()
GROUP BY host, path
ORDER BY host, h DESC
LIMIT 10 BY host;
