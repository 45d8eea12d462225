-- columns: ods.user_delta(uid, phone, dt)
-- columns: dw.user_zip(uid, phone, start_dt, end_dt)
-- columns: tmp.user_zip(uid, phone, start_dt, end_dt)
-- edge: dw.user_zip#uid -> tmp.user_zip#uid IDENTITY
-- edge: ods.user_delta#uid -> tmp.user_zip#uid IDENTITY
-- edge: dw.user_zip#phone -> tmp.user_zip#phone IDENTITY
-- edge: ods.user_delta#phone -> tmp.user_zip#phone IDENTITY
-- edge: dw.user_zip#start_dt -> tmp.user_zip#start_dt IDENTITY
-- edge: ods.user_delta#dt -> tmp.user_zip#start_dt IDENTITY
-- edge: ods.user_delta#uid -> tmp.user_zip#end_dt CONDITIONAL
-- edge: dw.user_zip#end_dt -> tmp.user_zip#end_dt CONDITIONAL
-- edge: ods.user_delta#dt -> tmp.user_zip#end_dt TRANSFORMATION
-- edge: dw.user_zip#end_dt -> tmp.user_zip#end_dt TRANSFORMATION
-- edge: dw.user_zip#uid -> tmp.user_zip JOIN
-- edge: ods.user_delta#uid -> tmp.user_zip JOIN
-- edge: ods.user_delta#dt -> tmp.user_zip FILTER
-- edge: tmp.user_zip#uid -> dw.user_zip#uid IDENTITY
-- edge: tmp.user_zip#phone -> dw.user_zip#phone IDENTITY
-- edge: tmp.user_zip#start_dt -> dw.user_zip#start_dt IDENTITY
-- edge: tmp.user_zip#end_dt -> dw.user_zip#end_dt IDENTITY
-- completeness: complete
-- note: step one rebuilds the table beside, step two copies it back by position

INSERT OVERWRITE TABLE tmp.user_zip
SELECT * FROM (
    SELECT z.uid, z.phone, z.start_dt,
           CASE WHEN z.end_dt = '9999-12-31' AND d.uid IS NOT NULL THEN date_sub(d.dt, 1) ELSE z.end_dt END AS end_dt
    FROM dw.user_zip z
    LEFT JOIN (SELECT uid, dt FROM ods.user_delta WHERE dt = '2024-06-01') d ON z.uid = d.uid
    UNION ALL
    SELECT uid, phone, dt AS start_dt, '9999-12-31' AS end_dt
    FROM ods.user_delta
    WHERE dt = '2024-06-01'
) a;
INSERT OVERWRITE TABLE dw.user_zip SELECT * FROM tmp.user_zip;
