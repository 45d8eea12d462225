-- columns: raw.t(a, b, v)
-- columns: ref.k(a, b)
-- columns: dw.t(a, s)
-- edge: raw.t#a -> dw.t#a IDENTITY
-- edge: raw.t#v -> dw.t#s AGGREGATION
-- edge: raw.t#a -> dw.t FILTER
-- edge: raw.t#b -> dw.t FILTER
-- edge: ref.k#a -> dw.t FILTER
-- edge: ref.k#b -> dw.t FILTER
-- edge: raw.t#v -> dw.t FILTER
-- edge: raw.t#a -> dw.t GROUP_BY
-- completeness: complete

INSERT INTO dw.t (a, s)
SELECT a, sum(v) AS total
FROM raw.t
WHERE (a, b) IN (SELECT a, b FROM ref.k)
GROUP BY a
HAVING total > 10
SETTINGS max_threads = 4;
