-- columns: prod.silver.ticket(ticket_id, team_id, opened_at, closed_at, csat)
-- columns: prod.silver.team(team_id, team_name, region)
-- edge: prod.silver.team#team_name -> prod.gold.scorecard#team_name IDENTITY
-- edge: prod.silver.team#region -> prod.gold.scorecard#region IDENTITY
-- edge: prod.silver.ticket -> prod.gold.scorecard#tickets AGGREGATION
-- edge: prod.silver.team -> prod.gold.scorecard#tickets AGGREGATION
-- edge: prod.silver.ticket#closed_at -> prod.gold.scorecard#hours AGGREGATION
-- edge: prod.silver.ticket#opened_at -> prod.gold.scorecard#hours AGGREGATION
-- edge: prod.silver.ticket#csat -> prod.gold.scorecard#good AGGREGATION
-- edge: prod.silver.ticket#team_id -> prod.gold.scorecard JOIN
-- edge: prod.silver.team#team_id -> prod.gold.scorecard JOIN
-- edge: prod.silver.team#team_name -> prod.gold.scorecard GROUP_BY
-- edge: prod.silver.team#region -> prod.gold.scorecard GROUP_BY
-- edge: prod.silver.ticket#closed_at -> prod.gold.scorecard FILTER
-- completeness: complete

CREATE OR REPLACE MATERIALIZED VIEW prod.gold.scorecard
SCHEDULE EVERY 1 HOUR
AS
SELECT m.team_name,
       m.region,
       count(*) AS tickets,
       avg(timestampdiff(HOUR, k.opened_at, k.closed_at)) AS hours,
       count_if(k.csat >= 4) AS good
FROM prod.silver.ticket k
JOIN prod.silver.team m ON m.team_id = k.team_id
WHERE k.closed_at IS NOT NULL
GROUP BY m.team_name, m.region;
