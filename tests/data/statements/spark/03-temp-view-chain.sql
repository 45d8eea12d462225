-- columns: raw.trips(id, driver, fare, tip, started)
-- columns: gold.driver_day(driver, day, income)
-- edge: raw.trips#driver -> gold.driver_day#driver IDENTITY
-- edge: raw.trips#started -> gold.driver_day#day TRANSFORMATION
-- edge: raw.trips#fare -> gold.driver_day#income AGGREGATION
-- edge: raw.trips#tip -> gold.driver_day#income AGGREGATION
-- edge: raw.trips#fare -> gold.driver_day FILTER
-- edge: raw.trips#driver -> gold.driver_day GROUP_BY
-- edge: raw.trips#started -> gold.driver_day GROUP_BY
-- completeness: complete

CREATE OR REPLACE TEMPORARY VIEW valid_trips AS
SELECT driver, date(started) AS day, fare + coalesce(tip, 0) AS income
FROM raw.trips
WHERE fare > 0;

CREATE OR REPLACE TEMPORARY VIEW per_day AS
SELECT driver, day, sum(income) AS income FROM valid_trips GROUP BY driver, day;

INSERT INTO gold.driver_day SELECT driver, day, income FROM per_day;
