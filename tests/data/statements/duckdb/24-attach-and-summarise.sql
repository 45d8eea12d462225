-- edge: ext.main.o#d -> mart.o#m TRANSFORMATION
-- edge: ext.main.o#amt -> mart.o#amt AGGREGATION
-- edge: ext.main.o#d -> mart.o GROUP_BY
-- completeness: any

ATTACH 'ext.db' AS ext;
CREATE TABLE mart.o AS
SELECT strftime(d, '%Y-%m') AS m, sum(amt) AS amt FROM ext.main.o GROUP BY m;
