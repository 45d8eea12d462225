-- columns: dw.daily(k, v, d)
-- edge: stg.daily#k -> dw.daily#k IDENTITY
-- edge: stg.daily#v -> dw.daily#v IDENTITY
-- edge: stg.daily#d -> dw.daily#d IDENTITY
-- edge: stg.daily#d -> dw.daily FILTER
-- completeness: any

INSERT INTO dw.daily
SELECT k, v, d FROM stg.daily WHERE d >= '2024-01-01';
