-- columns: dim.cust(cust_id, addr, start_dt, end_dt)
-- columns: stg.cust(cust_id, addr)
-- columns: dim.cust_new(cust_id, addr, start_dt, end_dt)
-- edge: dim.cust#cust_id -> dim.cust_new#cust_id IDENTITY
-- edge: stg.cust#cust_id -> dim.cust_new#cust_id IDENTITY
-- edge: dim.cust#addr -> dim.cust_new#addr IDENTITY
-- edge: stg.cust#addr -> dim.cust_new#addr IDENTITY
-- edge: dim.cust#start_dt -> dim.cust_new#start_dt IDENTITY
-- edge: stg.cust#cust_id -> dim.cust_new#end_dt CONDITIONAL
-- edge: dim.cust#end_dt -> dim.cust_new#end_dt CONDITIONAL
-- edge: dim.cust#end_dt -> dim.cust_new#end_dt TRANSFORMATION
-- edge: dim.cust#cust_id -> dim.cust_new JOIN
-- edge: stg.cust#cust_id -> dim.cust_new JOIN
-- edge: dim.cust#addr -> dim.cust_new JOIN
-- edge: stg.cust#addr -> dim.cust_new JOIN
-- edge: dim.cust#end_dt -> dim.cust_new JOIN
-- edge: dim.cust#cust_id -> dim.cust_new FILTER
-- completeness: complete
-- note: cust_new is filled from both branches; the second one brings new rows only

INSERT OVERWRITE TABLE dim.cust_new
SELECT d.cust_id, d.addr, d.start_dt,
       CASE WHEN s.cust_id IS NOT NULL AND d.end_dt = '9999-12-31' THEN '${d}' ELSE d.end_dt END
FROM dim.cust d
LEFT JOIN stg.cust s ON d.cust_id = s.cust_id AND d.addr <> s.addr
UNION ALL
SELECT s.cust_id, s.addr, '${d}', '9999-12-31'
FROM stg.cust s
LEFT JOIN dim.cust d ON s.cust_id = d.cust_id AND s.addr = d.addr AND d.end_dt = '9999-12-31'
WHERE d.cust_id IS NULL;
