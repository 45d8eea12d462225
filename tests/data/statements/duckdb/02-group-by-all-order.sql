-- columns: raw.t(a, b, v)
-- edge: raw.t#a -> mart.t#a IDENTITY
-- edge: raw.t#b -> mart.t#b IDENTITY
-- edge: raw.t#v -> mart.t#v AGGREGATION
-- edge: raw.t#a -> mart.t GROUP_BY
-- edge: raw.t#b -> mart.t GROUP_BY
-- edge: raw.t#a -> mart.t SORT
-- edge: raw.t#b -> mart.t SORT
-- edge: raw.t#v -> mart.t SORT
-- completeness: complete

CREATE TABLE mart.t AS
SELECT a, b, sum(v) AS v FROM raw.t GROUP BY ALL ORDER BY ALL;
