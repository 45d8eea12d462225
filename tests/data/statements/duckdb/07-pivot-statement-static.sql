-- columns: raw.q(yr, cat, amt)
-- edge: raw.q#yr -> mart.q#yr IDENTITY
-- edge: raw.q#amt -> mart.q#a AGGREGATION
-- edge: raw.q#cat -> mart.q#a CONDITIONAL
-- edge: raw.q#amt -> mart.q#b AGGREGATION
-- edge: raw.q#cat -> mart.q#b CONDITIONAL
-- edge: raw.q#yr -> mart.q GROUP_BY
-- completeness: complete

CREATE TABLE mart.q AS
SELECT * FROM (SELECT yr, cat, amt FROM raw.q)
PIVOT (sum(amt) FOR cat IN ('a', 'b') GROUP BY yr);
