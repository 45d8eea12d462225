-- columns: dw.users(id, signed_up)
-- columns: dw.events(user_id, at)
-- edge: dw.users#signed_up -> mart.cohort#cohort TRANSFORMATION
-- edge: dw.users#signed_up -> mart.cohort#week TRANSFORMATION
-- edge: dw.events#at -> mart.cohort#week TRANSFORMATION
-- edge: dw.users#id -> mart.cohort#active AGGREGATION
-- edge: dw.users#signed_up -> mart.cohort FILTER
-- edge: dw.events#at -> mart.cohort FILTER
-- edge: dw.users#id -> mart.cohort JOIN
-- edge: dw.events#user_id -> mart.cohort JOIN
-- edge: dw.users#signed_up -> mart.cohort GROUP_BY
-- edge: dw.events#at -> mart.cohort GROUP_BY
-- completeness: complete

CREATE TABLE mart.cohort AS
WITH c AS (
  SELECT id, date_trunc('week', signed_up) AS cohort FROM dw.users WHERE signed_up > '2023-01-01'
), a AS (
  SELECT c.id, c.cohort, datediff(week, c.cohort, e.at) AS week
  FROM c JOIN dw.events e ON e.user_id = c.id
)
SELECT cohort, week, count(DISTINCT id) AS active
FROM a WHERE week BETWEEN 0 AND 12
GROUP BY cohort, week;
