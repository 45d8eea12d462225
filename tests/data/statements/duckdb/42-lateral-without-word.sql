-- completeness: complete
-- edge: raw.a#id -> dw.lat#id IDENTITY
-- edge: raw.a#v -> dw.lat FILTER
-- edge: raw.a#v -> dw.lat#y TRANSFORMATION

CREATE TABLE dw.lat AS SELECT a.id, t.y FROM raw.a AS a, (SELECT a.v * 2 AS y) t WHERE t.y > 3
