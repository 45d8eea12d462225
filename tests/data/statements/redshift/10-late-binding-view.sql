-- columns: spectrum.logs(ts, host, code)
-- edge: spectrum.logs#host -> rpt.errors#host IDENTITY
-- edge: spectrum.logs#ts -> rpt.errors#last AGGREGATION
-- edge: spectrum.logs#code -> rpt.errors FILTER
-- edge: spectrum.logs#host -> rpt.errors GROUP_BY
-- completeness: complete

CREATE OR REPLACE VIEW rpt.errors AS
SELECT host, max(ts) AS last FROM spectrum.logs WHERE code >= 500 GROUP BY host
WITH NO SCHEMA BINDING;
