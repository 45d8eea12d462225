-- columns: raw.h(acct, tag, kind, ord, amt)
-- edge: raw.h#acct -> mart.h#acct IDENTITY
-- edge: raw.h#tag -> mart.h#tags AGGREGATION
-- edge: raw.h#ord -> mart.h#tags SORT
-- edge: raw.h#amt -> mart.h#fees AGGREGATION
-- edge: raw.h#kind -> mart.h#fees CONDITIONAL
-- edge: raw.h#acct -> mart.h GROUP_BY
-- completeness: complete

CREATE TABLE mart.h AS
SELECT acct,
       string_agg(tag, ',' ORDER BY ord) AS tags,
       sum(amt) FILTER (WHERE kind = 'fee') AS fees
FROM raw.h
GROUP BY acct;
