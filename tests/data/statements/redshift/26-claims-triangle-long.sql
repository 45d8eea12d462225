-- columns: core.claim(claim_no, policy_no, loss_dt, report_dt, peril, status)
-- columns: core.payment(claim_no, paid_dt, amt, kind)
-- columns: core.policy(policy_no, line, broker, start_dt)
-- edge: core.policy#line -> mart.triangle#line IDENTITY
-- edge: core.claim#loss_dt -> mart.triangle#acc_year TRANSFORMATION
-- edge: core.claim#loss_dt -> mart.triangle#dev_year TRANSFORMATION
-- edge: core.payment#paid_dt -> mart.triangle#dev_year TRANSFORMATION
-- edge: core.payment#amt -> mart.triangle#paid AGGREGATION
-- edge: core.payment#kind -> mart.triangle#paid CONDITIONAL
-- edge: core.claim#claim_no -> mart.triangle#claims AGGREGATION
-- edge: core.payment#amt -> mart.triangle#cum_paid AGGREGATION
-- edge: core.payment#kind -> mart.triangle#cum_paid CONDITIONAL
-- edge: core.policy#line -> mart.triangle#cum_paid WINDOW
-- edge: core.claim#loss_dt -> mart.triangle#cum_paid WINDOW
-- edge: core.payment#paid_dt -> mart.triangle#cum_paid WINDOW
-- edge: core.claim#status -> mart.triangle FILTER
-- edge: core.claim#peril -> mart.triangle FILTER
-- edge: core.claim#loss_dt -> mart.triangle FILTER
-- edge: core.payment#paid_dt -> mart.triangle FILTER
-- edge: core.claim#policy_no -> mart.triangle JOIN
-- edge: core.policy#policy_no -> mart.triangle JOIN
-- edge: core.claim#claim_no -> mart.triangle JOIN
-- edge: core.payment#claim_no -> mart.triangle JOIN
-- edge: core.policy#line -> mart.triangle GROUP_BY
-- edge: core.claim#loss_dt -> mart.triangle GROUP_BY
-- edge: core.payment#paid_dt -> mart.triangle GROUP_BY
-- completeness: complete

CREATE TABLE mart.triangle
DISTSTYLE ALL
AS
WITH base AS (
    SELECT y.line,
           EXTRACT(year FROM c.loss_dt) AS acc_year,
           EXTRACT(year FROM p.paid_dt) - EXTRACT(year FROM c.loss_dt) AS dev_year,
           CASE WHEN p.kind = 'recovery' THEN -p.amt ELSE p.amt END AS amt,
           c.claim_no
    FROM core.claim c
    JOIN core.policy y ON y.policy_no = c.policy_no
    JOIN core.payment p ON p.claim_no = c.claim_no
    WHERE c.status <> 'void'
      AND c.peril IN ('fire', 'water')
),
grouped AS (
    SELECT line, acc_year, dev_year,
           SUM(amt) AS paid,
           COUNT(DISTINCT claim_no) AS claims
    FROM base
    WHERE dev_year >= 0
    GROUP BY line, acc_year, dev_year
)
SELECT line, acc_year, dev_year, paid, claims,
       SUM(paid) OVER (PARTITION BY line, acc_year ORDER BY dev_year ROWS UNBOUNDED PRECEDING) AS cum_paid
FROM grouped;
