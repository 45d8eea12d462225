-- columns: stg.x(id, v)
-- columns: dw.x(id, v)
-- edge: stg.x#id -> dw.x#id IDENTITY
-- edge: stg.x#v -> dw.x#v IDENTITY
-- edge: dw.x#id -> dw.x FILTER
-- edge: stg.x#id -> dw.x FILTER
-- completeness: any

CREATE OR REPLACE PROCEDURE dw.sp_x() AS $$
BEGIN
  DELETE FROM dw.x WHERE id IN (SELECT id FROM stg.x);
  INSERT INTO dw.x (id, v) SELECT id, v FROM stg.x;
END;
$$ LANGUAGE plpgsql;
