-- columns: raw.a(id, v)
-- columns: dw.a(id, v)
-- edge: raw.a#id -> dw.a#id IDENTITY
-- edge: raw.a#v -> dw.a#v AGGREGATION
-- edge: raw.a#id -> dw.a GROUP_BY
-- completeness: complete

DO $$
DECLARE n int;
BEGIN
    n := 1;
    IF n > 0 THEN
        INSERT INTO dw.a (id, v) SELECT id, max(v) FROM raw.a GROUP BY id;
    END IF;
END $$;
