-- edge: raw.impressions#campaign -> mart.ctr#campaign IDENTITY
-- edge: raw.clicks#id -> mart.ctr#ctr AGGREGATION
-- edge: raw.impressions#id -> mart.ctr#ctr AGGREGATION
-- edge: raw.impressions#id -> mart.ctr JOIN
-- edge: raw.clicks#impression_id -> mart.ctr JOIN
-- edge: raw.impressions#ds -> mart.ctr FILTER
-- edge: raw.impressions#campaign -> mart.ctr GROUP_BY
-- completeness: any

INSERT OVERWRITE TABLE mart.ctr PARTITION (ds = '2024-01-01')
SELECT i.campaign AS campaign, count(c.id) / count(i.id) AS ctr
FROM raw.impressions i
LEFT JOIN raw.clicks c ON c.impression_id = i.id
WHERE i.ds = '2024-01-01'
GROUP BY i.campaign;
