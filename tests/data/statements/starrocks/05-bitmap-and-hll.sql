-- columns: dwd.v(page, uid, dt)
-- columns: dws.v(page, dt, uids)
-- edge: dwd.v#page -> dws.v#page IDENTITY
-- edge: dwd.v#dt -> dws.v#dt IDENTITY
-- edge: dwd.v#uid -> dws.v#uids AGGREGATION
-- edge: dwd.v#page -> dws.v GROUP_BY
-- edge: dwd.v#dt -> dws.v GROUP_BY
-- completeness: complete

INSERT INTO dws.v
SELECT page, dt, BITMAP_UNION(TO_BITMAP(uid)) FROM dwd.v GROUP BY page, dt;
