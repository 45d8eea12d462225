-- database: acme
-- columns: acme.mart.churn_score(account_id, score_day, score)
-- edge: acme.core.account#account_id -> acme.mart.churn_score#account_id IDENTITY
-- edge: acme.core.usage#minutes -> acme.mart.churn_score#score AGGREGATION
-- edge: acme.core.account#tenure_days -> acme.mart.churn_score#score TRANSFORMATION
-- edge: acme.core.account#account_id -> acme.mart.churn_score JOIN
-- edge: acme.core.usage#account_id -> acme.mart.churn_score JOIN
-- edge: acme.core.usage#usage_day -> acme.mart.churn_score FILTER
-- edge: acme.core.account#closed_at -> acme.mart.churn_score FILTER
-- edge: acme.core.account#account_id -> acme.mart.churn_score GROUP_BY
-- edge: acme.core.account#tenure_days -> acme.mart.churn_score GROUP_BY
-- completeness: any

INSERT INTO mart.churn_score (account_id, score_day, score)
SELECT
  a.account_id,
  DATE '{{ ds }}' AS score_day,
  SUM(u.minutes) / a.tenure_days AS score
FROM core.account a
JOIN core.usage u ON u.account_id = a.account_id
WHERE u.usage_day BETWEEN DATE_SUB('{{ ds }}', INTERVAL {{ params.window_days }} DAY) AND '{{ ds }}'
  AND a.closed_at IS NULL
GROUP BY a.account_id, a.tenure_days;
