-- columns: s.a(id,v)
-- columns: d.a(id,v)
-- edge: s.a#id -> d.a#id IDENTITY
-- edge: s.a#v -> d.a#v IDENTITY
-- edge: s.a#v -> d.a FILTER
-- completeness: any

CREATE PROCEDURE p()
BEGIN
  DECLARE done INT DEFAULT 0;
  DECLARE x INT; DECLARE y INT;
  DECLARE c CURSOR FOR SELECT id, v FROM s.a WHERE v > 0;
  DECLARE CONTINUE HANDLER FOR NOT FOUND SET done = 1;
  OPEN c;
  l: LOOP
    FETCH c INTO x, y;
    IF done THEN LEAVE l; END IF;
    INSERT INTO d.a (id, v) VALUES (x, y);
  END LOOP;
  CLOSE c;
END
