-- columns: dw.t(k, v, u)
-- edge: dw.t#k -> mart.t#k IDENTITY
-- edge: dw.t#u -> mart.t#u AGGREGATION
-- edge: dw.t#v -> mart.t#med AGGREGATION
-- edge: dw.t#k -> mart.t GROUP_BY
-- completeness: complete

CREATE TABLE mart.t AS
SELECT k, APPROXIMATE COUNT(DISTINCT u) AS u, MEDIAN(v) AS med FROM dw.t GROUP BY k;
