-- edge: HR.EMP#ID -> RPT.TREE#ID IDENTITY
-- edge: HR.EMP#NM -> RPT.TREE#NM IDENTITY
-- edge: HR.EMP#ID -> RPT.TREE JOIN
-- edge: HR.EMP#MGR -> RPT.TREE JOIN
-- completeness: any
-- note: START WITH and CONNECT BY together are one condition of a join

CREATE OR REPLACE VIEW rpt.tree AS
SELECT id, nm FROM hr.emp
START WITH mgr IS NULL
CONNECT BY PRIOR id = mgr;
