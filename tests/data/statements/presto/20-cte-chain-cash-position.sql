-- columns: fin.txn(acct, amount, direction, value_day)
-- columns: fin.acct(acct, entity, ccy)
-- columns: fin.rate(ccy, day, to_usd)
-- edge: fin.acct#entity -> fin.cash_position#entity IDENTITY
-- edge: fin.txn#value_day -> fin.cash_position#value_day IDENTITY
-- edge: fin.txn#amount -> fin.cash_position#usd AGGREGATION
-- edge: fin.rate#to_usd -> fin.cash_position#usd AGGREGATION
-- edge: fin.txn#direction -> fin.cash_position#usd CONDITIONAL
-- edge: fin.txn#amount -> fin.cash_position#cum_usd AGGREGATION
-- edge: fin.rate#to_usd -> fin.cash_position#cum_usd AGGREGATION
-- edge: fin.txn#direction -> fin.cash_position#cum_usd CONDITIONAL
-- edge: fin.acct#entity -> fin.cash_position#cum_usd WINDOW
-- edge: fin.txn#value_day -> fin.cash_position#cum_usd WINDOW
-- edge: fin.txn#acct -> fin.cash_position JOIN
-- edge: fin.acct#acct -> fin.cash_position JOIN
-- edge: fin.acct#ccy -> fin.cash_position JOIN
-- edge: fin.rate#ccy -> fin.cash_position JOIN
-- edge: fin.rate#day -> fin.cash_position JOIN
-- edge: fin.txn#value_day -> fin.cash_position JOIN
-- edge: fin.acct#entity -> fin.cash_position GROUP_BY
-- edge: fin.txn#value_day -> fin.cash_position GROUP_BY
-- completeness: complete

CREATE TABLE fin.cash_position AS
WITH signed AS (
  SELECT acct, value_day,
         CASE direction WHEN 'C' THEN amount ELSE -amount END AS amt
  FROM fin.txn
),
usd AS (
  SELECT a.entity, s.value_day, s.amt * r.to_usd AS usd
  FROM signed s
  JOIN fin.acct a ON a.acct = s.acct
  JOIN fin.rate r ON r.ccy = a.ccy AND r.day = s.value_day
),
daily AS (
  SELECT entity, value_day, sum(usd) AS usd
  FROM usd
  GROUP BY entity, value_day
)
SELECT entity, value_day, usd,
       sum(usd) OVER (PARTITION BY entity ORDER BY value_day) AS cum_usd
FROM daily
