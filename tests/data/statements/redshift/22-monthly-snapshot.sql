-- columns: dw.acct(acct_id, opened, closed, branch)
-- columns: dw.bal(acct_id, day, bal)
-- edge: dw.bal#day -> mart.snap#month TRANSFORMATION
-- edge: dw.acct#branch -> mart.snap#branch IDENTITY
-- edge: dw.bal#bal -> mart.snap#avg_bal AGGREGATION
-- edge: dw.acct#acct_id -> mart.snap#accts AGGREGATION
-- edge: dw.acct#acct_id -> mart.snap#open_accts AGGREGATION
-- edge: dw.acct#closed -> mart.snap#open_accts CONDITIONAL
-- edge: dw.acct#acct_id -> mart.snap JOIN
-- edge: dw.bal#acct_id -> mart.snap JOIN
-- edge: dw.bal#day -> mart.snap JOIN
-- edge: dw.acct#opened -> mart.snap JOIN
-- edge: dw.bal#day -> mart.snap FILTER
-- edge: dw.bal#day -> mart.snap GROUP_BY
-- edge: dw.acct#branch -> mart.snap GROUP_BY
-- completeness: complete

CREATE TABLE mart.snap AS
SELECT date_trunc('month', b.day) AS month,
       a.branch,
       avg(b.bal) AS avg_bal,
       count(DISTINCT a.acct_id) AS accts,
       count(DISTINCT CASE WHEN a.closed IS NULL THEN a.acct_id END) AS open_accts
FROM dw.acct a
JOIN dw.bal b ON b.acct_id = a.acct_id AND b.day >= a.opened
WHERE b.day >= '2023-01-01'
GROUP BY 1, 2;
