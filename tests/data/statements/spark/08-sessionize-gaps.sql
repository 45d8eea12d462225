-- columns: silver.events(uid, ts, page)
-- columns: gold.sessions(uid, session_no, started, ended, pages)
-- edge: silver.events#uid -> gold.sessions#uid IDENTITY
-- edge: silver.events#ts -> gold.sessions#session_no CONDITIONAL
-- edge: silver.events#uid -> gold.sessions#session_no CONDITIONAL
-- edge: silver.events#uid -> gold.sessions#session_no WINDOW
-- edge: silver.events#ts -> gold.sessions#session_no WINDOW
-- edge: silver.events#ts -> gold.sessions#started AGGREGATION
-- edge: silver.events#ts -> gold.sessions#ended AGGREGATION
-- edge: silver.events#page -> gold.sessions#pages AGGREGATION
-- edge: silver.events#uid -> gold.sessions GROUP_BY
-- edge: silver.events#ts -> gold.sessions GROUP_BY
-- completeness: complete
-- note: the flag's condition is over ts and lag(ts), which is computed per uid: those are decisions of the number, too

INSERT OVERWRITE gold.sessions
WITH flagged AS (
  SELECT uid, ts, page,
         CASE WHEN unix_timestamp(ts) - unix_timestamp(lag(ts) OVER (PARTITION BY uid ORDER BY ts)) > 1800
              THEN 1 ELSE 0 END AS is_new
  FROM silver.events
),
numbered AS (
  SELECT uid, ts, page, sum(is_new) OVER (PARTITION BY uid ORDER BY ts) AS session_no
  FROM flagged
)
SELECT uid, session_no, min(ts), max(ts), count(page)
FROM numbered
GROUP BY uid, session_no;
