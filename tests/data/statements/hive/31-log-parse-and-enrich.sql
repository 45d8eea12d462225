-- columns: ods.nginx(line, host, dt, hr)
-- columns: dim.geo(ip_prefix, country, city)
-- columns: dwd.access(ip, path, code, bytes, country, is_bot, dt, hr)
-- edge: ods.nginx#line -> dwd.access#ip TRANSFORMATION
-- edge: ods.nginx#line -> dwd.access#path TRANSFORMATION
-- edge: ods.nginx#line -> dwd.access#code TRANSFORMATION
-- edge: ods.nginx#line -> dwd.access#bytes TRANSFORMATION
-- edge: dim.geo#country -> dwd.access#country TRANSFORMATION
-- edge: ods.nginx#line -> dwd.access#is_bot CONDITIONAL
-- edge: ods.nginx#hr -> dwd.access#hr IDENTITY
-- edge: ods.nginx#dt -> dwd.access FILTER
-- edge: ods.nginx#host -> dwd.access FILTER
-- edge: ods.nginx#line -> dwd.access FILTER
-- edge: ods.nginx#line -> dwd.access JOIN
-- edge: dim.geo#ip_prefix -> dwd.access JOIN
-- completeness: complete

INSERT OVERWRITE TABLE dwd.access PARTITION (dt = '2024-02-02', hr)
SELECT p.ip,
       p.path,
       cast(p.code AS INT),
       cast(p.bytes AS BIGINT),
       coalesce(g.country, '??'),
       CASE WHEN lower(p.agent) RLIKE 'bot|spider' THEN 1 ELSE 0 END,
       p.hr
FROM (
    SELECT regexp_extract(line, '^(\\S+)', 1) AS ip,
           regexp_extract(line, 'GET (\\S+)', 1) AS path,
           regexp_extract(line, '" (\\d{3}) ', 1) AS code,
           regexp_extract(line, '" \\d{3} (\\d+)', 1) AS bytes,
           regexp_extract(line, '"([^"]*)"$', 1) AS agent,
           hr
    FROM ods.nginx
    WHERE dt = '2024-02-02' AND host <> 'health'
) p
LEFT JOIN dim.geo g ON substr(p.ip, 1, 7) = g.ip_prefix
WHERE p.code <> '';
