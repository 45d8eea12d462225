-- database: acme
-- columns: acme.dw.s(store, amt)
-- edge: acme.dw.s#store -> acme.mart.mv#store IDENTITY
-- edge: acme.dw.s#amt -> acme.mart.mv#total AGGREGATION
-- edge: acme.dw.s#store -> acme.mart.mv GROUP_BY
-- completeness: complete

CREATE MATERIALIZED VIEW mart.mv
OPTIONS (enable_refresh = true, refresh_interval_minutes = 30)
AS SELECT store, SUM(amt) AS total FROM dw.s GROUP BY store;
