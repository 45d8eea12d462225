-- completeness: any

SET @q = CONCAT('INSERT INTO d.t SELECT a FROM d.s_', @suffix);
PREPARE st FROM @q;
EXECUTE st;
