-- columns: dwd.click(url, ref, dt)
-- edge: ods.raw_log#line -> dwd.click#url TRANSFORMATION
-- edge: ods.raw_log#line -> dwd.click#ref TRANSFORMATION
-- edge: ods.raw_log#dt -> dwd.click FILTER
-- edge: ods.raw_log#line -> dwd.click FILTER
-- completeness: any

INSERT OVERWRITE TABLE dwd.click PARTITION (dt = '20240102')
SELECT j.url, coalesce(j.ref, 'none')
FROM ods.raw_log l
LATERAL VIEW json_tuple(l.line, 'url', 'ref') j AS url, ref
WHERE l.dt = '20240102' AND j.url IS NOT NULL;
