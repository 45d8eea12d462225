-- columns: raw.pay(id, acct, amt, ok)
-- columns: dw.acct_day(acct, day, amt)
-- edge: raw.pay#acct -> dw.acct_day#acct IDENTITY
-- edge: raw.pay#amt -> dw.acct_day#amt AGGREGATION
-- edge: raw.pay#ok -> dw.acct_day FILTER
-- edge: raw.pay#acct -> dw.acct_day GROUP_BY
-- completeness: complete

BEGIN;
CREATE TEMP TABLE p ON COMMIT DROP AS
SELECT acct, amt FROM raw.pay WHERE ok;
INSERT INTO dw.acct_day (acct, day, amt)
SELECT acct, current_date, sum(amt) FROM p GROUP BY acct;
COMMIT;
