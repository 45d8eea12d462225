-- columns: dw.v(page, uid)
-- edge: dw.v#page -> mart.v#page IDENTITY
-- edge: dw.v#uid -> mart.v#uids AGGREGATION
-- edge: dw.v#page -> mart.v GROUP_BY
-- completeness: complete

CREATE MATERIALIZED VIEW mart.v
AUTO REFRESH YES
AS SELECT page, count(DISTINCT uid) AS uids FROM dw.v GROUP BY page;
