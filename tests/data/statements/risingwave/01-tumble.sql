-- completeness: complete
-- edge: raw.e -> dw.tw#n AGGREGATION
-- edge: raw.e#ts -> dw.tw GROUP_BY
-- edge: raw.e#ts -> dw.tw#window_start TRANSFORMATION
-- edge: raw.e#uid -> dw.tw GROUP_BY
-- edge: raw.e#uid -> dw.tw#uid IDENTITY

CREATE MATERIALIZED VIEW dw.tw AS SELECT window_start, uid, count(*) AS n FROM TUMBLE(raw.e, ts, INTERVAL '1 MINUTE') GROUP BY window_start, uid
