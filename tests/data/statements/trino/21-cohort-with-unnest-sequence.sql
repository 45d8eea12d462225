-- columns: hive.dw.users(id, joined)
-- columns: hive.dw.pay(user_id, paid_at, amt)
-- edge: hive.dw.users#joined -> hive.mart.ltv#cohort TRANSFORMATION
-- edge: hive.dw.pay#amt -> hive.mart.ltv#amt AGGREGATION
-- edge: hive.dw.users#id -> hive.mart.ltv#users AGGREGATION
-- edge: hive.dw.users#id -> hive.mart.ltv JOIN
-- edge: hive.dw.pay#user_id -> hive.mart.ltv JOIN
-- edge: hive.dw.users#joined -> hive.mart.ltv JOIN
-- edge: hive.dw.pay#paid_at -> hive.mart.ltv JOIN
-- edge: hive.dw.users#joined -> hive.mart.ltv GROUP_BY
-- completeness: complete

CREATE TABLE hive.mart.ltv AS
WITH months AS (
  SELECT m FROM UNNEST(sequence(0, 12)) AS s (m)
),
c AS (
  SELECT id, date_trunc('month', joined) AS cohort FROM hive.dw.users
)
SELECT c.cohort, months.m AS month_no,
       sum(p.amt) AS amt, count(DISTINCT c.id) AS users
FROM c
CROSS JOIN months
LEFT JOIN hive.dw.pay p
  ON p.user_id = c.id
 AND p.paid_at < date_add('month', months.m + 1, c.cohort)
GROUP BY c.cohort, months.m;
