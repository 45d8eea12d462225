-- columns: fin.plan(dept, budget)
-- columns: fin.actual(dept, spent)
-- edge: fin.plan#dept -> fin.variance#dept TRANSFORMATION
-- edge: fin.actual#dept -> fin.variance#dept TRANSFORMATION
-- edge: fin.plan#budget -> fin.variance#gap TRANSFORMATION
-- edge: fin.actual#spent -> fin.variance#gap TRANSFORMATION
-- edge: fin.plan#dept -> fin.variance JOIN
-- edge: fin.actual#dept -> fin.variance JOIN
-- completeness: complete
-- note: the merged column of a FULL JOIN is coalesce of both sides, computed

CREATE OR REPLACE VIEW fin.variance AS
SELECT dept, coalesce(budget, 0) - coalesce(spent, 0) AS gap
FROM fin.plan FULL OUTER JOIN fin.actual USING (dept);
