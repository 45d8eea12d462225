-- columns: app.l(id, msg, at)
-- columns: arch.l(id, msg, at)
-- edge: app.l#id -> arch.l#id IDENTITY
-- edge: app.l#msg -> arch.l#msg IDENTITY
-- edge: app.l#at -> arch.l#at IDENTITY
-- edge: app.l#at -> arch.l FILTER
-- edge: app.l#at -> app.l FILTER
-- completeness: any

CREATE PROCEDURE arch.move_old(IN cutoff DATETIME)
BEGIN
  INSERT INTO arch.l (id, msg, at) SELECT id, msg, at FROM app.l WHERE at < cutoff;
  DELETE FROM app.l WHERE at < cutoff;
END
