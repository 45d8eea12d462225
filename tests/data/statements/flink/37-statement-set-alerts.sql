-- columns: iot.metric(sensor, kind, val, ts)
-- columns: iot.hot(sensor, val, ts)
-- columns: iot.avg_kind(kind, w, mean_val)
-- edge: iot.metric#sensor -> iot.hot#sensor IDENTITY
-- edge: iot.metric#val -> iot.hot#val IDENTITY
-- edge: iot.metric#ts -> iot.hot#ts IDENTITY
-- edge: iot.metric#kind -> iot.hot FILTER
-- edge: iot.metric#val -> iot.hot FILTER
-- edge: iot.metric#kind -> iot.avg_kind#kind IDENTITY
-- edge: iot.metric#ts -> iot.avg_kind#w TRANSFORMATION
-- edge: iot.metric#val -> iot.avg_kind#mean_val AGGREGATION
-- edge: iot.metric#kind -> iot.avg_kind GROUP_BY
-- edge: iot.metric#ts -> iot.avg_kind GROUP_BY
-- completeness: complete

EXECUTE STATEMENT SET
BEGIN
INSERT INTO iot.hot
  SELECT sensor, val, ts FROM iot.metric WHERE kind = 'temp' AND val > 80;
INSERT INTO iot.avg_kind
  SELECT kind, window_end, AVG(val)
  FROM TABLE(HOP(TABLE iot.metric, DESCRIPTOR(ts), INTERVAL '1' MINUTE, INTERVAL '5' MINUTES))
  GROUP BY kind, window_start, window_end;
END;
