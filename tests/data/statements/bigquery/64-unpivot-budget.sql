-- database: fin
-- columns: fin.plan.budget(dept, year, q1, q2, q3, q4)
-- columns: fin.mart.budget_long(dept, year, quarter, amount)
-- edge: fin.plan.budget#dept -> fin.mart.budget_long#dept IDENTITY
-- edge: fin.plan.budget#year -> fin.mart.budget_long#year IDENTITY
-- edge: fin.plan.budget#q1 -> fin.mart.budget_long#amount IDENTITY
-- edge: fin.plan.budget#q2 -> fin.mart.budget_long#amount IDENTITY
-- edge: fin.plan.budget#q3 -> fin.mart.budget_long#amount IDENTITY
-- edge: fin.plan.budget#q4 -> fin.mart.budget_long#amount IDENTITY
-- edge: fin.plan.budget#year -> fin.mart.budget_long FILTER
-- completeness: complete

INSERT INTO mart.budget_long (dept, year, quarter, amount)
SELECT dept, year, quarter, amount
FROM plan.budget
UNPIVOT (amount FOR quarter IN (q1 AS 'Q1', q2 AS 'Q2', q3 AS 'Q3', q4 AS 'Q4'))
WHERE year = 2025;
