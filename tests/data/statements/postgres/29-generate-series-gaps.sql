-- edge: dw.v#n -> mart.v#n TRANSFORMATION
-- edge: dw.v#d -> mart.v JOIN
-- completeness: any

CREATE TABLE mart.v AS
SELECT g.d::date AS d, coalesce(v.n, 0) AS n
FROM generate_series(DATE '2024-01-01', DATE '2024-12-31', interval '1 day') AS g(d)
LEFT JOIN dw.v v ON v.d = g.d;
