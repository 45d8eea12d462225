-- columns: raw.b(acct, ts, delta)
-- columns: dw.b(acct, ts, bal, rn)
-- edge: raw.b#acct -> dw.b#acct IDENTITY
-- edge: raw.b#ts -> dw.b#ts IDENTITY
-- edge: raw.b#delta -> dw.b#bal AGGREGATION
-- edge: raw.b#acct -> dw.b#bal WINDOW
-- edge: raw.b#ts -> dw.b#bal WINDOW
-- edge: raw.b#acct -> dw.b#rn WINDOW
-- edge: raw.b#ts -> dw.b#rn WINDOW
-- completeness: complete

INSERT INTO dw.b
SELECT acct, ts,
       sum(delta) OVER (PARTITION BY acct ORDER BY ts),
       row_number() OVER (PARTITION BY acct ORDER BY ts)
FROM raw.b;
