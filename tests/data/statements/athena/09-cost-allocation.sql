-- columns: cur.lines(account, product, cost, tags, day)
-- columns: ref.owner(account, team)
-- edge: ref.owner#team -> mart.cost#team TRANSFORMATION
-- edge: cur.lines#product -> mart.cost#product IDENTITY
-- edge: cur.lines#tags -> mart.cost#env TRANSFORMATION
-- edge: cur.lines#cost -> mart.cost#cost AGGREGATION
-- edge: cur.lines#day -> mart.cost FILTER
-- edge: cur.lines#cost -> mart.cost FILTER
-- edge: cur.lines#account -> mart.cost JOIN
-- edge: ref.owner#account -> mart.cost JOIN
-- edge: ref.owner#team -> mart.cost GROUP_BY
-- edge: cur.lines#product -> mart.cost GROUP_BY
-- edge: cur.lines#tags -> mart.cost GROUP_BY
-- completeness: complete

CREATE TABLE mart.cost WITH (format = 'PARQUET') AS
WITH l AS (
  SELECT account, product, cost, element_at(tags, 'env') AS env
  FROM cur.lines
  WHERE day >= date '2024-01-01' AND cost <> 0
)
SELECT coalesce(o.team, 'unassigned') AS team, l.product, l.env, sum(l.cost) AS cost
FROM l
LEFT JOIN ref.owner o ON o.account = l.account
GROUP BY 1, 2, 3
