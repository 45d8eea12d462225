-- columns: silver.log(app, lvl, msg)
-- edge: silver.log#app -> gold.error_apps#app IDENTITY
-- edge: silver.log#lvl -> gold.error_apps#lvl IDENTITY
-- edge: silver.log#msg -> gold.error_apps#n AGGREGATION
-- edge: silver.log#app -> gold.error_apps GROUP_BY
-- edge: silver.log#lvl -> gold.error_apps GROUP_BY
-- edge: silver.log#msg -> gold.error_apps FILTER
-- completeness: complete

CREATE OR REPLACE TABLE gold.error_apps AS
SELECT app, lvl, count(msg) AS n
FROM silver.log
GROUP BY ALL
HAVING count(msg) > 10;
