-- columns: raw.v(a, b, c)
-- edge: raw.v#a -> rpt.v#k IDENTITY
-- edge: raw.v#b -> rpt.v#tot AGGREGATION
-- edge: raw.v#a -> rpt.v GROUP_BY
-- edge: raw.v#c -> rpt.v FILTER
-- completeness: complete

CREATE OR REPLACE VIEW rpt.v AS
WITH x(k, n) AS (SELECT a, b FROM raw.v WHERE c = 1)
SELECT k, sum(n) AS tot FROM x GROUP BY k;
