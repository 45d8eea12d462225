-- columns: dw.emp(id, dept, mgr)
-- columns: stg.dept(emp_id, dept)
-- columns: ref.mgr(dept, mgr)
-- edge: stg.dept#dept -> dw.emp#dept IDENTITY
-- edge: ref.mgr#mgr -> dw.emp#mgr IDENTITY
-- edge: dw.emp#id -> dw.emp FILTER
-- edge: stg.dept#emp_id -> dw.emp FILTER
-- edge: stg.dept#dept -> dw.emp JOIN
-- edge: ref.mgr#dept -> dw.emp JOIN
-- completeness: complete

UPDATE dw.emp
SET dept = d.dept, mgr = m.mgr
FROM stg.dept d
JOIN ref.mgr m ON m.dept = d.dept
WHERE dw.emp.id = d.emp_id;
