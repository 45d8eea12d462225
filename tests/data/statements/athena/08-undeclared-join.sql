-- edge: raw.a#id -> dw.ab#id IDENTITY
-- edge: raw.b#y -> dw.ab#y IDENTITY
-- edge: raw.a#k -> dw.ab JOIN
-- edge: raw.b#k -> dw.ab JOIN
-- completeness: any

CREATE TABLE dw.ab AS SELECT a.id, b.y FROM raw.a a JOIN raw.b b ON a.k = b.k
