-- completeness: complete
-- edge: silver.rev#quarter -> gold.p#q1 CONDITIONAL
-- edge: silver.rev#quarter -> gold.p#q2 CONDITIONAL
-- edge: silver.rev#rev -> gold.p#q1 AGGREGATION
-- edge: silver.rev#rev -> gold.p#q2 AGGREGATION
-- edge: silver.rev#yr -> gold.p GROUP_BY
-- edge: silver.rev#yr -> gold.p#yr IDENTITY

CREATE TABLE gold.p USING delta PARTITIONED BY (yr) AS
SELECT * FROM (SELECT yr, quarter, rev FROM silver.rev) PIVOT (sum(rev) AS total FOR quarter IN (1 AS q1, 2 AS q2))
