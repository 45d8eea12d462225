-- edge: raw.u#id -> dw.u#id IDENTITY
-- edge: raw.u#age -> dw.u#band CONDITIONAL
-- edge: raw.u#age -> dw.u FILTER
-- completeness: any

INSERT INTO dw.u (id, band)
SELECT id, multiIf(age < 18, 'child', age < 65, 'adult', 'senior')
FROM raw.u
WHERE age > 0;
