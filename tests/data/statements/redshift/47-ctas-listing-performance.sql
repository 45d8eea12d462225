-- edge: market.listing#listing_id -> mart.listing_perf#listing_id IDENTITY
-- edge: market.listing#title -> mart.listing_perf#title TRANSFORMATION
-- edge: market.listing_view#view_id -> mart.listing_perf#views AGGREGATION
-- edge: market.listing_view#clicked -> mart.listing_perf#ctr AGGREGATION
-- edge: market.listing_view#view_id -> mart.listing_perf#ctr AGGREGATION
-- edge: market.listing#listing_id -> mart.listing_perf JOIN
-- edge: market.listing_view#listing_id -> mart.listing_perf JOIN
-- edge: market.listing_view#viewed_at -> mart.listing_perf FILTER
-- edge: market.listing#listing_id -> mart.listing_perf GROUP_BY
-- edge: market.listing#title -> mart.listing_perf GROUP_BY
-- completeness: complete

CREATE TABLE mart.listing_perf
DISTSTYLE KEY DISTKEY (listing_id)
COMPOUND SORTKEY (listing_id)
AS
SELECT l.listing_id,
       SUBSTRING(l.title, 1, 80) AS title,
       COUNT(v.view_id) AS views,
       SUM(v.clicked)::FLOAT / NULLIF(COUNT(v.view_id), 0) AS ctr
FROM market.listing l
JOIN market.listing_view v ON v.listing_id = l.listing_id
WHERE v.viewed_at >= DATEADD(day, -7, GETDATE())
GROUP BY l.listing_id, SUBSTRING(l.title, 1, 80);
