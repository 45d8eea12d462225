-- columns: stg.f(k, v)
-- columns: dw.f(k, v)
-- edge: stg.f#k -> dw.f#k IDENTITY
-- edge: stg.f#v -> dw.f#v IDENTITY
-- completeness: any

CREATE OR REPLACE PROCEDURE dw.load_f()
LANGUAGE plpgsql
AS $$
BEGIN
    TRUNCATE dw.f;
    INSERT INTO dw.f (k, v) SELECT k, v FROM stg.f;
END;
$$;
