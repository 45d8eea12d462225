-- columns: main.dim.emp(emp_id, dept, valid_from, valid_to, is_current)
-- columns: main.stg.emp(emp_id, dept, eff)
-- edge: main.stg.emp#emp_id -> main.dim.emp#emp_id IDENTITY
-- edge: main.stg.emp#dept -> main.dim.emp#dept IDENTITY
-- edge: main.stg.emp#eff -> main.dim.emp#valid_from IDENTITY
-- edge: main.stg.emp#eff -> main.dim.emp#valid_to IDENTITY
-- edge: main.dim.emp#emp_id -> main.dim.emp JOIN
-- edge: main.stg.emp#emp_id -> main.dim.emp JOIN
-- edge: main.dim.emp#is_current -> main.dim.emp JOIN
-- edge: main.dim.emp#is_current -> main.dim.emp FILTER
-- edge: main.dim.emp#dept -> main.dim.emp FILTER
-- edge: main.stg.emp#dept -> main.dim.emp FILTER
-- completeness: complete
-- note: merge_key is emp_id or NULL; the second source row of a change joins stg to dim

MERGE INTO main.dim.emp AS d
USING (
  SELECT s.emp_id AS merge_key, s.emp_id, s.dept, s.eff
  FROM main.stg.emp s
  UNION ALL
  SELECT NULL AS merge_key, s.emp_id, s.dept, s.eff
  FROM main.stg.emp s
  JOIN main.dim.emp c ON s.emp_id = c.emp_id AND c.is_current = true
  WHERE s.dept <> c.dept
) AS u
ON d.emp_id = u.merge_key
WHEN MATCHED AND d.is_current = true AND d.dept <> u.dept THEN
  UPDATE SET d.is_current = false, d.valid_to = u.eff
WHEN NOT MATCHED THEN
  INSERT (emp_id, dept, valid_from, valid_to, is_current)
  VALUES (u.emp_id, u.dept, u.eff, NULL, true);
