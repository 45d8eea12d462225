-- completeness: complete
-- edge: raw.n#d -> dw.n FILTER
-- edge: raw.n#id -> dw.n GROUP_BY
-- edge: raw.n#id -> dw.n#id IDENTITY
-- edge: raw.n#v -> dw.n#z AGGREGATION

LOCKING ROW FOR ACCESS
INSERT INTO dw.n (id, z) SELECT id, ZEROIFNULL(SUM(v)) FROM raw.n WHERE d BETWEEN DATE '2024-01-01' AND CURRENT_DATE GROUP BY id
