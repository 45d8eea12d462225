-- columns: stg.visit(visit_id, patient_id, ward, in_at, out_at)
-- columns: dw.visit(visit_id, patient_id, ward, hours)
-- columns: dw.ward_day(ward, day, visits)
-- edge: stg.visit#visit_id -> dw.visit#visit_id IDENTITY
-- edge: stg.visit#patient_id -> dw.visit#patient_id IDENTITY
-- edge: stg.visit#ward -> dw.visit#ward IDENTITY
-- edge: stg.visit#in_at -> dw.visit#hours TRANSFORMATION
-- edge: stg.visit#out_at -> dw.visit#hours TRANSFORMATION
-- edge: stg.visit#out_at -> dw.visit FILTER
-- edge: stg.visit#ward -> dw.ward_day#ward IDENTITY
-- edge: stg.visit#in_at -> dw.ward_day#day TRANSFORMATION
-- edge: stg.visit#visit_id -> dw.ward_day#visits AGGREGATION
-- edge: stg.visit#ward -> dw.ward_day GROUP_BY
-- edge: stg.visit#in_at -> dw.ward_day GROUP_BY
-- completeness: any

CREATE OR REPLACE PROCEDURE dw.load_visits()
LANGUAGE plpgsql
AS $proc$
BEGIN
    INSERT INTO dw.visit (visit_id, patient_id, ward, hours)
    SELECT visit_id, patient_id, ward, extract(epoch FROM out_at - in_at) / 3600
    FROM stg.visit
    WHERE out_at IS NOT NULL
    ON CONFLICT (visit_id) DO NOTHING;

    INSERT INTO dw.ward_day (ward, day, visits)
    SELECT ward, in_at::date, count(DISTINCT visit_id)
    FROM stg.visit
    GROUP BY ward, in_at::date;
END
$proc$;
