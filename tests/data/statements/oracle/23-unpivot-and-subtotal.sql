-- columns: RAW.M(ID, JAN, FEB, MAR)
-- edge: RAW.M#JAN -> MART.M#MON_TOTAL AGGREGATION
-- edge: RAW.M#FEB -> MART.M#MON_TOTAL AGGREGATION
-- edge: RAW.M#MAR -> MART.M#MON_TOTAL AGGREGATION
-- edge: RAW.M#ID -> MART.M#ID IDENTITY
-- edge: RAW.M#ID -> MART.M GROUP_BY
-- edge: RAW.M#JAN -> MART.M FILTER
-- edge: RAW.M#FEB -> MART.M FILTER
-- edge: RAW.M#MAR -> MART.M FILTER
-- completeness: complete

CREATE TABLE mart.m AS
SELECT id, SUM(amt) AS mon_total
FROM raw.m UNPIVOT (amt FOR mon IN (jan AS 'JAN', feb AS 'FEB', mar AS 'MAR'))
WHERE amt > 0
GROUP BY id;
