-- columns: obs.trace(service, route, ms, code, at, dt)
-- edge: obs.trace#service -> rpt.latency#service IDENTITY
-- edge: obs.trace#route -> rpt.latency#route IDENTITY
-- edge: obs.trace#ms -> rpt.latency#p50 AGGREGATION
-- edge: obs.trace#ms -> rpt.latency#p99 AGGREGATION
-- edge: obs.trace -> rpt.latency#error_rate AGGREGATION
-- edge: obs.trace#code -> rpt.latency#error_rate AGGREGATION
-- edge: obs.trace#ms -> rpt.latency#rnk WINDOW
-- edge: obs.trace#service -> rpt.latency#rnk WINDOW
-- edge: obs.trace#service -> rpt.latency GROUP_BY
-- edge: obs.trace#route -> rpt.latency GROUP_BY
-- edge: obs.trace#dt -> rpt.latency FILTER
-- completeness: complete

CREATE TABLE rpt.latency AS
WITH base AS (
  SELECT service, route,
         approx_percentile(ms, 0.5) AS p50,
         approx_percentile(ms, 0.99) AS p99,
         1.0 * count_if(code >= 500) / count(*) AS error_rate
  FROM obs.trace
  WHERE dt = '2025-06-02'
  GROUP BY service, route
)
SELECT service, route, p50, p99, error_rate,
       rank() OVER (PARTITION BY service ORDER BY p99 DESC) AS rnk
FROM base
