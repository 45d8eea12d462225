-- columns: main.mart.base(k, v)
-- edge: main.mart.base#k -> main.mart.top#k IDENTITY
-- edge: main.mart.base#v -> main.mart.top#v AGGREGATION
-- edge: main.mart.base#k -> main.mart.top GROUP_BY
-- completeness: complete

USE CATALOG main;
USE SCHEMA mart;
CREATE OR REPLACE TABLE top AS SELECT k, max(v) AS v FROM base GROUP BY k;
