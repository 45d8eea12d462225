-- columns: hr.headcount(dept, quarter, employees, yr)
-- columns: rpt.headcountwide(dept, q1, q2, q3, q4)
-- edge: hr.headcount#dept -> rpt.headcountwide#dept IDENTITY
-- edge: hr.headcount#employees -> rpt.headcountwide#q1 AGGREGATION
-- edge: hr.headcount#quarter -> rpt.headcountwide#q1 CONDITIONAL
-- edge: hr.headcount#employees -> rpt.headcountwide#q2 AGGREGATION
-- edge: hr.headcount#quarter -> rpt.headcountwide#q2 CONDITIONAL
-- edge: hr.headcount#employees -> rpt.headcountwide#q3 AGGREGATION
-- edge: hr.headcount#quarter -> rpt.headcountwide#q3 CONDITIONAL
-- edge: hr.headcount#employees -> rpt.headcountwide#q4 AGGREGATION
-- edge: hr.headcount#quarter -> rpt.headcountwide#q4 CONDITIONAL
-- edge: hr.headcount#yr -> rpt.headcountwide FILTER
-- edge: hr.headcount#dept -> rpt.headcountwide GROUP_BY
-- completeness: complete

INSERT INTO rpt.HeadcountWide (Dept, Q1, Q2, Q3, Q4)
SELECT p.Dept, p.[Q1], p.[Q2], p.[Q3], p.[Q4]
FROM (
    SELECT Dept, Quarter, Employees
    FROM hr.Headcount
    WHERE Yr = 2025
) AS src
PIVOT (SUM(Employees) FOR Quarter IN ([Q1], [Q2], [Q3], [Q4])) AS p;
