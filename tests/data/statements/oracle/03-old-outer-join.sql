-- columns: HR.EMP(ID, NM, DEPT_ID)
-- columns: HR.DEPT(ID, DNAME)
-- columns: RPT.EMP(ID, NM, DNAME)
-- edge: HR.EMP#ID -> RPT.EMP#ID IDENTITY
-- edge: HR.EMP#NM -> RPT.EMP#NM IDENTITY
-- edge: HR.DEPT#DNAME -> RPT.EMP#DNAME IDENTITY
-- edge: HR.EMP#DEPT_ID -> RPT.EMP FILTER
-- edge: HR.DEPT#ID -> RPT.EMP FILTER
-- completeness: complete
-- note: Oracle's (+) is a condition of WHERE

INSERT INTO rpt.emp (id, nm, dname)
SELECT e.id, e.nm, d.dname FROM hr.emp e, hr.dept d WHERE e.dept_id = d.id (+);
