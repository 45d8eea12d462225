-- columns: d.s(id, v, ts)
-- columns: d.t(id, v)
-- edge: d.s#id -> d.t#id IDENTITY
-- edge: d.s#v -> d.t#v IDENTITY
-- edge: d.s#ts -> d.t FILTER
-- completeness: any

CREATE EVENT d.nightly ON SCHEDULE EVERY 1 DAY DO
  INSERT INTO d.t (id, v) SELECT id, v FROM d.s WHERE ts > NOW() - INTERVAL 1 DAY
