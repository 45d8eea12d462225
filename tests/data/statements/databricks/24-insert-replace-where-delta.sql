-- columns: main.stg.r(id, v, d)
-- columns: main.dw.r(id, v, d)
-- edge: main.stg.r#id -> main.dw.r#id IDENTITY
-- edge: main.stg.r#v -> main.dw.r#v IDENTITY
-- edge: main.stg.r#d -> main.dw.r#d IDENTITY
-- edge: main.stg.r#d -> main.dw.r FILTER
-- edge: main.dw.r#d -> main.dw.r FILTER
-- completeness: complete
-- note: REPLACE WHERE takes away the target's rows by the target's column

INSERT INTO main.dw.r REPLACE WHERE d >= '2024-01-01'
SELECT id, v, d FROM main.stg.r WHERE d >= '2024-01-01';
