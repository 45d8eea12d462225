-- columns: mart.t(u, tags)
-- edge: raw.t#u -> mart.t#u IDENTITY
-- edge: raw.t#tag -> mart.t#tags AGGREGATION
-- edge: raw.t#tag -> mart.t#tags SORT
-- edge: raw.t#u -> mart.t GROUP_BY
-- completeness: any

INSERT INTO mart.t
SELECT u, LISTAGG(DISTINCT tag, '|') WITHIN GROUP (ORDER BY tag) FROM raw.t GROUP BY u;
