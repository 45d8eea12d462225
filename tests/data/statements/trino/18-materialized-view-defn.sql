-- edge: iceberg.dw.orders#status -> iceberg.mart.by_status#status IDENTITY
-- edge: iceberg.dw.orders#price -> iceberg.mart.by_status#avg_price AGGREGATION
-- edge: iceberg.dw.orders#status -> iceberg.mart.by_status GROUP_BY
-- completeness: any

CREATE OR REPLACE MATERIALIZED VIEW iceberg.mart.by_status
COMMENT 'mean'
AS SELECT status, avg(price) AS avg_price FROM iceberg.dw.orders GROUP BY status;
