-- columns: dwd.addr_zip(addr_id, uid, detail, start_ds, end_ds)
-- columns: ods.addr_delta(addr_id, uid, detail, ds)
-- columns: tmp.addr_zip(addr_id, uid, detail, start_ds, end_ds)
-- edge: dwd.addr_zip#addr_id -> tmp.addr_zip#addr_id IDENTITY
-- edge: ods.addr_delta#addr_id -> tmp.addr_zip#addr_id IDENTITY
-- edge: dwd.addr_zip#uid -> tmp.addr_zip#uid IDENTITY
-- edge: ods.addr_delta#uid -> tmp.addr_zip#uid IDENTITY
-- edge: dwd.addr_zip#detail -> tmp.addr_zip#detail IDENTITY
-- edge: ods.addr_delta#detail -> tmp.addr_zip#detail IDENTITY
-- edge: dwd.addr_zip#start_ds -> tmp.addr_zip#start_ds IDENTITY
-- edge: ods.addr_delta#ds -> tmp.addr_zip#start_ds IDENTITY
-- edge: ods.addr_delta#addr_id -> tmp.addr_zip#end_ds CONDITIONAL
-- edge: dwd.addr_zip#end_ds -> tmp.addr_zip#end_ds CONDITIONAL
-- edge: dwd.addr_zip#end_ds -> tmp.addr_zip#end_ds TRANSFORMATION
-- edge: dwd.addr_zip#addr_id -> tmp.addr_zip JOIN
-- edge: ods.addr_delta#addr_id -> tmp.addr_zip JOIN
-- edge: ods.addr_delta#ds -> tmp.addr_zip FILTER
-- completeness: complete

INSERT OVERWRITE TABLE tmp.addr_zip
SELECT addr_id, uid, detail, start_ds, end_ds FROM (
    SELECT z.addr_id, z.uid, z.detail, z.start_ds,
           CASE WHEN d.addr_id IS NOT NULL AND z.end_ds = '99991231' THEN '20250531' ELSE z.end_ds END AS end_ds
    FROM dwd.addr_zip z
    LEFT OUTER JOIN (SELECT addr_id FROM ods.addr_delta WHERE ds = '20250601') d
    ON z.addr_id = d.addr_id
    UNION ALL
    SELECT addr_id, uid, detail, ds AS start_ds, '99991231' AS end_ds
    FROM ods.addr_delta
    WHERE ds = '20250601'
) u;
