-- columns: raw.e(u, e, ts, ok)
-- edge: raw.e#u -> mart.e#u IDENTITY
-- edge: raw.e#e -> mart.e#path AGGREGATION
-- edge: raw.e#ts -> mart.e#path SORT
-- edge: raw.e#ok -> mart.e#path CONDITIONAL
-- edge: raw.e#u -> mart.e GROUP_BY
-- completeness: complete

CREATE TABLE mart.e AS
SELECT u, list(e ORDER BY ts) FILTER (WHERE ok) AS path FROM raw.e GROUP BY u;
