-- edge: raw.a#x -> dw.ab#x IDENTITY
-- edge: raw.b#y -> dw.ab#y IDENTITY
-- edge: raw.a#k -> dw.ab JOIN
-- edge: raw.b#k -> dw.ab JOIN
-- completeness: any

CREATE TABLE dw.ab AS SELECT a.x, b.y FROM raw.a AS a JOIN raw.b AS b ON a.k = b.k;
