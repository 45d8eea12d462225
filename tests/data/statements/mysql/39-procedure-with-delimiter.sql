-- columns: d.s(a, b)
-- columns: d.t(a, b)
-- edge: d.s#a -> d.t#a IDENTITY
-- edge: d.s#b -> d.t#b AGGREGATION
-- edge: d.s#a -> d.t GROUP_BY
-- completeness: any

DELIMITER $$
CREATE PROCEDURE d.p(IN day DATE)
BEGIN
  DELETE FROM d.t;
  INSERT INTO d.t (a, b) SELECT a, SUM(b) FROM d.s GROUP BY a;
END$$
DELIMITER ;
CALL d.p(CURRENT_DATE);
