-- columns: logs.waf(ts, action, rule, httprequest row(clientip varchar, country varchar, uri varchar), dt)
-- columns: ref.allow(ip, owner, until)
-- edge: logs.waf#httprequest.country -> mart.waf#country IDENTITY
-- edge: logs.waf#rule -> mart.waf#rule IDENTITY
-- edge: logs.waf#httprequest.clientip -> mart.waf#ip IDENTITY
-- edge: logs.waf#ts -> mart.waf#hits AGGREGATION
-- edge: logs.waf#ts -> mart.waf#first_hit AGGREGATION
-- edge: logs.waf#httprequest.uri -> mart.waf#uris AGGREGATION
-- edge: logs.waf#httprequest.country -> mart.waf#rk WINDOW
-- edge: logs.waf#ts -> mart.waf#rk WINDOW
-- edge: logs.waf#dt -> mart.waf FILTER
-- edge: logs.waf#action -> mart.waf FILTER
-- edge: ref.allow#ip -> mart.waf FILTER
-- edge: logs.waf#httprequest.country -> mart.waf FILTER
-- edge: logs.waf#ts -> mart.waf FILTER
-- edge: logs.waf#httprequest.clientip -> mart.waf JOIN
-- edge: ref.allow#ip -> mart.waf JOIN
-- edge: ref.allow#until -> mart.waf JOIN
-- edge: logs.waf#ts -> mart.waf JOIN
-- edge: logs.waf#httprequest.country -> mart.waf GROUP_BY
-- edge: logs.waf#rule -> mart.waf GROUP_BY
-- edge: logs.waf#httprequest.clientip -> mart.waf GROUP_BY
-- completeness: complete

CREATE TABLE mart.waf
WITH (format = 'PARQUET', external_location = 's3://mart/waf/')
AS
WITH blocked AS (
  SELECT w.httprequest.country AS country,
         w.rule,
         w.httprequest.clientip AS ip,
         w.httprequest.uri AS uri,
         from_unixtime(w.ts / 1000) AS at
  FROM logs.waf w
  WHERE w.dt >= '2024/01/01'
    AND w.action = 'BLOCK'
),
unknown AS (
  SELECT b.country, b.rule, b.ip, b.uri, b.at
  FROM blocked b
  LEFT JOIN ref.allow a ON a.ip = b.ip AND a.until > b.at
  WHERE a.ip IS NULL
),
counted AS (
  SELECT country, rule, ip,
         count(at) AS hits,
         min(at) AS first_hit,
         array_join(array_agg(DISTINCT uri), ',') AS uris
  FROM unknown
  GROUP BY country, rule, ip
)
SELECT country, rule, ip, hits, first_hit, uris, rk
FROM (
  SELECT *, row_number() OVER (PARTITION BY country ORDER BY hits DESC) AS rk FROM counted
)
WHERE rk <= 20
