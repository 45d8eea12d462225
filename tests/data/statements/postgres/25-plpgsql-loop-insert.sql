-- columns: stg.g(k, v)
-- columns: dw.g(k, v)
-- edge: stg.g#k -> dw.g#k IDENTITY
-- edge: stg.g#v -> dw.g#v TRANSFORMATION
-- completeness: complete

DO $$
DECLARE r record;
BEGIN
    FOR r IN SELECT k, v FROM stg.g LOOP
        INSERT INTO dw.g (k, v) VALUES (r.k, r.v + 1);
    END LOOP;
END $$;
