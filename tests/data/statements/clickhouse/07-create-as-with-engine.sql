-- columns: raw.t(k, v, d)
-- edge: raw.t#k -> dw.t#k IDENTITY
-- edge: raw.t#d -> dw.t#d IDENTITY
-- edge: raw.t#v -> dw.t#v2 TRANSFORMATION
-- completeness: complete

CREATE TABLE dw.t
ENGINE = MergeTree
PARTITION BY toYYYYMM(d)
ORDER BY (k, d)
AS SELECT k, d, v * 2 AS v2 FROM raw.t;
