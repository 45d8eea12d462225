-- columns: silver.clicks(user, page, click_ts, ip_hash, ds)
-- edge: raw.clicks#user -> silver.clicks#user IDENTITY
-- edge: raw.clicks#page -> silver.clicks#page IDENTITY
-- edge: raw.clicks#ts -> silver.clicks#click_ts TRANSFORMATION
-- edge: raw.clicks#ip -> silver.clicks#ip_hash TRANSFORMATION
-- edge: raw.clicks#ts -> silver.clicks FILTER
-- completeness: any

INSERT OVERWRITE TABLE silver.clicks PARTITION (ds = '{{ ds }}')
SELECT user, page, CAST(ts AS TIMESTAMP), sha2(ip, 256)
FROM raw.clicks
WHERE to_date(ts) = '{{ ds }}';
