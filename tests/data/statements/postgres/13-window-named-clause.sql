-- edge: raw.t#acct -> mart.t#acct IDENTITY
-- edge: raw.t#at -> mart.t#at IDENTITY
-- edge: raw.t#amt -> mart.t#run AGGREGATION
-- edge: raw.t#acct -> mart.t#run WINDOW
-- edge: raw.t#at -> mart.t#run WINDOW
-- edge: raw.t#amt -> mart.t#prev TRANSFORMATION
-- edge: raw.t#acct -> mart.t#prev WINDOW
-- edge: raw.t#at -> mart.t#prev WINDOW
-- completeness: any

CREATE TABLE mart.t AS
SELECT acct, at,
       sum(amt) OVER w AS run,
       lag(amt) OVER w AS prev
FROM raw.t
WINDOW w AS (PARTITION BY acct ORDER BY at);
