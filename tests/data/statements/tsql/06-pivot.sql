-- columns: dbo.s(reg, q, amt)
-- columns: mart.p(reg, q1, q2)
-- edge: dbo.s#reg -> mart.p#reg IDENTITY
-- edge: dbo.s#amt -> mart.p#q1 AGGREGATION
-- edge: dbo.s#q -> mart.p#q1 CONDITIONAL
-- edge: dbo.s#amt -> mart.p#q2 AGGREGATION
-- edge: dbo.s#q -> mart.p#q2 CONDITIONAL
-- edge: dbo.s#reg -> mart.p GROUP_BY
-- completeness: complete

INSERT INTO mart.p (reg, q1, q2)
SELECT reg, [Q1], [Q2]
FROM (SELECT reg, q, amt FROM dbo.s) AS src
PIVOT (SUM(amt) FOR q IN ([Q1], [Q2])) AS pv;
