-- columns: MART.S(REG, Q, AMT)
-- edge: MART.S#REG -> MART.SP#REG IDENTITY
-- edge: MART.S#AMT -> MART.SP#Q1 AGGREGATION
-- edge: MART.S#Q -> MART.SP#Q1 CONDITIONAL
-- edge: MART.S#AMT -> MART.SP#Q2 AGGREGATION
-- edge: MART.S#Q -> MART.SP#Q2 CONDITIONAL
-- edge: MART.S#REG -> MART.SP GROUP_BY
-- completeness: complete

CREATE TABLE mart.sp AS
SELECT reg, q1, q2 FROM (SELECT reg, q, amt FROM mart.s)
PIVOT (SUM(amt) FOR q IN ('Q1' AS q1, 'Q2' AS q2));
