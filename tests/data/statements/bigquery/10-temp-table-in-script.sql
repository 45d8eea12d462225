-- database: acme
-- columns: acme.raw.s(k, v, w)
-- columns: acme.dw.s(k, total)
-- edge: acme.raw.s#k -> acme.dw.s#k IDENTITY
-- edge: acme.raw.s#v -> acme.dw.s#total AGGREGATION
-- edge: acme.raw.s#w -> acme.dw.s#total AGGREGATION
-- edge: acme.raw.s#w -> acme.dw.s FILTER
-- edge: acme.raw.s#k -> acme.dw.s GROUP_BY
-- completeness: complete

CREATE TEMP TABLE pre AS
SELECT k, v * w AS vw FROM raw.s WHERE w IS NOT NULL;

INSERT INTO dw.s (k, total)
SELECT k, SUM(vw) FROM pre GROUP BY k;
