-- columns: ods.ord(oid, uid, created, amt)
-- columns: ods.ship(oid, shipped, carrier)
-- columns: ods.ret(oid, returned, reason, qty)
-- columns: dim.u(uid, lvl, city)
-- columns: dws.life(oid, uid, city, hours_to_ship, is_returned, reason, amt, lvl_avg)
-- edge: ods.ord#oid -> dws.life#oid IDENTITY
-- edge: ods.ord#uid -> dws.life#uid IDENTITY
-- edge: ods.ord#amt -> dws.life#amt IDENTITY
-- edge: dim.u#city -> dws.life#city TRANSFORMATION
-- edge: ods.ord#created -> dws.life#hours_to_ship TRANSFORMATION
-- edge: ods.ship#shipped -> dws.life#hours_to_ship TRANSFORMATION
-- edge: ods.ret#oid -> dws.life#is_returned CONDITIONAL
-- edge: ods.ret#reason -> dws.life#reason IDENTITY
-- edge: ods.ord#amt -> dws.life#lvl_avg AGGREGATION
-- edge: dim.u#lvl -> dws.life#lvl_avg WINDOW
-- edge: ods.ord#created -> dws.life FILTER
-- edge: ods.ship#carrier -> dws.life FILTER
-- edge: ods.ret#oid -> dws.life FILTER
-- edge: ods.ret#returned -> dws.life FILTER
-- edge: ods.ord#oid -> dws.life JOIN
-- edge: ods.ship#oid -> dws.life JOIN
-- edge: ods.ret#oid -> dws.life JOIN
-- edge: ods.ord#uid -> dws.life JOIN
-- edge: dim.u#uid -> dws.life JOIN
-- completeness: complete

INSERT INTO dws.life (oid, uid, city, hours_to_ship, is_returned, reason, amt, lvl_avg)
WITH last_ret AS (
    SELECT oid, reason FROM (
        SELECT oid, reason, ROW_NUMBER() OVER (PARTITION BY oid ORDER BY returned DESC) AS rn
        FROM ods.ret
    ) q
    WHERE rn = 1
)
SELECT o.oid,
       o.uid,
       IFNULL(u.city, 'unknown'),
       TIMESTAMPDIFF(HOUR, o.created, s.shipped),
       CASE WHEN r.oid IS NOT NULL THEN 1 ELSE 0 END,
       r.reason,
       o.amt,
       AVG(o.amt) OVER (PARTITION BY u.lvl)
FROM ods.ord o
JOIN ods.ship s ON s.oid = o.oid
LEFT JOIN last_ret r ON r.oid = o.oid
LEFT JOIN dim.u u ON u.uid = o.uid
WHERE o.created >= '2024-01-01'
  AND s.carrier <> 'pickup';
