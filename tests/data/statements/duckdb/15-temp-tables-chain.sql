-- columns: raw.s(k, v)
-- edge: raw.s#k -> dw.s#k IDENTITY
-- edge: raw.s#v -> dw.s#m AGGREGATION
-- edge: raw.s#v -> dw.s FILTER
-- edge: raw.s#k -> dw.s GROUP_BY
-- completeness: complete

CREATE TEMP TABLE one AS SELECT k, v FROM raw.s WHERE v IS NOT NULL;
CREATE TEMP TABLE two AS SELECT k, max(v) AS m FROM one GROUP BY k;
CREATE TABLE dw.s AS SELECT k, m FROM two;
